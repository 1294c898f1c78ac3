// What FOOTHOLD_FAKE_CAMERA asks of the camera.
#pragma once

#pragma GCC visibility push(hidden)

/// The value of a setting; NULL where it isn't given. Valid until the next call on this thread.
const char *setting(const char *name);

double number(const char *name, double otherwise);

/// The errno with which every request at this place is refused; 0 for none.
int refused(const char *place);

/// CLOCK_MONOTONIC, seconds.
double now(void);

/// Seconds since the camera was started first; below 0 before.
double since_start(void);

/// The camera is started now; later starts don't count.
void note_start(void);

/// Whether a setting of the form FROM or FROM-TO holds now.
int is_time_of(const char *name);

/// Whether the time of a setting of the form FROM-TO is over.
int is_over(const char *name);

#pragma GCC visibility pop
