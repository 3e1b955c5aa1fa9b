// SPDX-License-Identifier: Apache-2.0
//
// Ranges of NVTX: calls named by their construct, for Nsight Systems and Compute and other tools that listen. A tool sets
// NVTX_INJECTION64_PATH to its library; without it a call asks one pointer.
#ifndef REX_NVTX_H
#define REX_NVTX_H

#include "rex_call.h"
#include "rex_internal.h"

namespace __rex REX_HIDDEN {

// The functions of the tool.
class RangeTool {
public:
  // Null where none listens.
  static const RangeTool *listening() { return of_link_unit; }

  // Finds it.
  static void begin();

  void push(const Call &call) const;
  void pop() const { end_range(); }

private:
  bool attach(const char *library);

  static const RangeTool *of_link_unit;
  int (*begin_range)(const char *name) = nullptr;
  int (*end_range)() = nullptr;
};

// A call has a range while this object lives.
class Ranged {
public:
  explicit Ranged(const Call &call) : tool(RangeTool::listening()) {
    if (tool != nullptr) tool->push(call);
  }
  ~Ranged() {
    if (tool != nullptr) tool->pop();
  }
  Ranged(const Ranged &) = delete;

private:
  const RangeTool *const tool;
};

} // namespace __rex

#endif
