// SPDX-License-Identifier: Apache-2.0
//
// What the CPU device tells the checking runtime (runtime/check) in a program that is built with --check. Reads and writes are told by the compiler: it calls __tsan_read4 and its
// like, which the checking runtime defines (-fsanitize=thread without its library). Nothing of this is in other programs.
#ifndef REX_CHECK_H
#define REX_CHECK_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) // one checking runtime for the program, its shared libraries and the images

// The CPU device executes a kernel on the calling thread, team after team. What lies above `frame` on its stack is the host's.
void rex_check_kernel_begins(const void *frame, int teams, int threads);
void rex_check_kernel_ends(void);

// The threads of a team take turns. From here on the calling thread executes the program for this one ...
void rex_check_runs(unsigned team, unsigned thread);
// ... and from here on the runtime itself, which is not checked.
void rex_check_pauses(void);
// Of the team's threads these have met at a barrier: one call for each, and one that ends the list.
void rex_check_meets(unsigned thread);
void rex_check_met(void);

// A file that the last one to read it removes: the checking runtime, which asks for the lines of an image until the end.
void rex_check_image(const char *path);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
