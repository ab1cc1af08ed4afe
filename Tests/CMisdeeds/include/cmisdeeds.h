#pragma once

/// The name of what a picture that has taken a worker over might try; NULL where the numbers, which begin with 0, end.
const char *cmisdeed_name(int number);

/// Tries it on `file`, of which the worker has no business to know, or on the folder of fonts at `fonts`.
///
/// Returns 0 if it succeeded, or the error with which it was refused, if it returns.
int cmisdeed_attempt(int number, const char *file, const char *fonts);

/// Crashes of a worker that a picture has taken over.
void cmisdeed_null_pointer(void);
void cmisdeed_stack_overflow(void);

/// Sleeps for a tenth of a second, by a call that a worker may make.
void cmisdeed_sleep(void);

/// Makes the kernel of this process, and of what it runs, one without Landlock; returns 0 or -1.
int cmisdeed_lose_landlock(void);

/// Starts a process of the locked workers' user that leaves 60 descriptors sent and not received for a second; returns
/// 0 once they are sent, or -1.
int cmisdeed_crowd(void);
