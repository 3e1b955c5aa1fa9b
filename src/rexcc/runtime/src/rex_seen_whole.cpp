// SPDX-License-Identifier: Apache-2.0
#include "rex_seen_whole.h"

namespace __rex REX_HIDDEN {

REX_OF_THREAD SeenWhole::Seen SeenWhole::of_thread[8][2];
std::atomic<uint64_t> SeenNew::latest[256];

} // namespace __rex
