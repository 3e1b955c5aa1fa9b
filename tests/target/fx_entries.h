/* A fictitious device's entry points: it is this machine, started by the runtime's host plugin. */
#ifndef FX_ENTRIES_H
#define FX_ENTRIES_H

#include "rex_host_device.h"

#endif
