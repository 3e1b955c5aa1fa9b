// SPDX-License-Identifier: Apache-2.0
#include "rex_profile_wishes.h"

#include "rex_settings.h"

#include <unistd.h>

namespace __rex REX_HIDDEN {
namespace {

bool ends_with(const std::string &text, const std::string &end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string file_of(std::string name) {
  for (size_t at = name.find("%p"); at != std::string::npos; at = name.find("%p", at))
    name.replace(at, 2, std::to_string(getpid()));
  return name;
}

void take(ProfileWishes &wishes, const std::string &word) {
  const std::string trace = "trace:";
  if (word == "1") wishes.table = true;
  else if (word.size() > trace.size() && word.compare(0, trace.size(), trace) == 0)
    wishes.trace = file_of(word.substr(trace.size()));
  else if (ends_with(word, ".json")) wishes.document = file_of(word);
  else if (word != "0" && wishes.unknown.empty()) wishes.unknown = word;
}

} // namespace

ProfileWishes profile_wishes() {
  ProfileWishes wishes;
  const char *text = setting("REX_PROFILE");
  if (text == nullptr) return wishes;
  const std::string words = text;
  for (size_t begin = 0; begin <= words.size();) {
    size_t end = words.find(',', begin);
    if (end == std::string::npos) end = words.size();
    take(wishes, words.substr(begin, end - begin));
    begin = end + 1;
  }
  return wishes;
}

} // namespace __rex
