// SPDX-License-Identifier: Apache-2.0
#include "rex_images.h"

#include "rex_cubin.h"

#include <cstdio>
#include <utility>

namespace __rex REX_HIDDEN {

RegisteredModule::RegisteredModule(__tgt_offload_entry *entries, int64_t count) {
  descriptor.entries_begin = entries;
  descriptor.entries_end = entries + count;
}

RegisteredModule::RegisteredModule(std::vector<__tgt_offload_entry> all) : joined(std::move(all)) {
  descriptor.entries_begin = joined.data();
  descriptor.entries_end = joined.data() + joined.size();
}

RegisteredModule::~RegisteredModule() {
  if (registered) __tgt_unregister_lib(&descriptor);
}

void RegisteredModule::add(const char *begin, const char *end) {
  images.push_back({begin, end, descriptor.entries_begin, descriptor.entries_end});
}

void RegisteredModule::add_cubin(const char *begin, const char *end) {
  Cubin cubin(begin, end);
  if (!cubin.needs_older_label()) return add(begin, end);
  copies.push_back(std::make_unique<std::string>(begin, end));
  std::string &copy = *copies.back();
  Cubin::relabel_as_abi_7(copy.data(), cubin.arch());
  add(copy.data(), copy.data() + copy.size());
}

void RegisteredModule::register_images() {
  descriptor.image_count = static_cast<int32_t>(images.size());
  descriptor.images = images.data();
  registered = true;
  __tgt_register_lib(&descriptor);
}

// A run that was pointed at a file must not quietly use another one.
std::string read_cubin(const char *path, std::string &bytes) {
  if (path == nullptr) return "";
  if (FILE *file = fopen(path, "rb")) {
    char chunk[65536];
    for (size_t count; (count = fread(chunk, 1, sizeof chunk, file)) > 0;) bytes.append(chunk, count);
    fclose(file);
  }
  if (Cubin(bytes.data(), bytes.data() + bytes.size()).is_valid()) return "";
  return std::string("REX_CUBIN names ") + path + ", which " + (bytes.empty() ? "cannot be read" : "is not a cubin");
}

} // namespace __rex
