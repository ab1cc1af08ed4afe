#pragma once

/// Eight samples: SIMD8<Float> in Swift.
typedef float clanes __attribute__((ext_vector_type(8)));

/// The samples within `low` and `high`. One instruction for each bound, where Swift's own operations take six.
static inline clanes clanes_clamped(clanes samples, float low, float high) {
    clanes lowest = low, highest = high;
    samples = lowest > samples ? lowest : samples;
    return highest < samples ? highest : samples;
}
