// SPDX-License-Identifier: Apache-2.0
//
// The checking runtime as one translation unit: what programs that are built with --check are linked with besides
// register_cubin.cpp. It finds what is wrong with a program's use of the device's memory while the CPU device executes it.
//
// The compiler calls it before each access of host and kernels (callbacks.cpp), libomptarget at each allocation and copy
// (tool.cpp), the headers of the CPU device when threads take turns or meet (kernels.cpp, ../include/rex_check.h), and the
// program for memory of the heap (memory.cpp). accesses.cpp asks the questions, sections.cpp and races.cpp know the answers.
//
// Environment: REX_CHECK=bounds,unmapped,undefined,stale,race which checks are made, all without it; REX_CHECK_STATUS=n the
// exit status of a program that would have ended well, 1 without it.
#include "accesses.cpp"
#include "callbacks.cpp"
#include "kernels.cpp"
#include "memory.cpp"
#include "places.cpp"
#include "races.cpp"
#include "reports.cpp"
#include "sections.cpp"
#include "tool.cpp"
#include "units.cpp"
