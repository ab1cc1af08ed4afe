#pragma once

/// Eight samples: SIMD8<Float> in Swift.
typedef float clanes __attribute__((ext_vector_type(8)));

/// The samples within `low` and `high`. On x86-64 that is one instruction for each bound, six by Swift's operations.
static inline clanes clanes_clamped(clanes samples, float low, float high) {
    clanes lowest = low, highest = high;
    samples = lowest > samples ? lowest : samples;
    return highest < samples ? highest : samples;
}
