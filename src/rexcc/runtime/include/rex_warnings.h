// SPDX-License-Identifier: Apache-2.0
//
// Around text of a host file that the user did not write: no warning is about it, also where warnings are errors. gcc has
// no word for all of them; it says nothing of options that it does not know, since -Wpragmas is the first.
// Part of rex_kmp.h.
#ifndef REX_WARNINGS_H
#define REX_WARNINGS_H

// A call in front of a declaration of C, where statements may have to come behind all declarations.
#define REX_DECLARED(call, number) const int __rex_called_##number __attribute__((__unused__)) = (call, 0)

#define REX_PRAGMA(text) _Pragma(#text)
#define REX_IGNORE(warning) REX_PRAGMA(GCC diagnostic ignored warning)

#if defined __clang__
#define REX_NO_WARNINGS REX_PRAGMA(GCC diagnostic push) REX_IGNORE("-Weverything")
#elif defined __GNUC__
#define REX_NO_WARNINGS                                                                                                \
  REX_PRAGMA(GCC diagnostic push)                                                                                      \
  REX_IGNORE("-Wpragmas") REX_IGNORE("-Walloca") REX_IGNORE("-Wconditionally-supported")                               \
  REX_IGNORE("-Wunused-parameter") REX_IGNORE("-Wsubobject-linkage") REX_IGNORE("-Waddress")                           \
  REX_IGNORE("-Waggregate-return") REX_IGNORE("-Warith-conversion") REX_IGNORE("-Wbad-function-cast")                  \
  REX_IGNORE("-Wbool-compare") REX_IGNORE("-Wbool-operation") REX_IGNORE("-Wc++-compat")                               \
  REX_IGNORE("-Wc++11-extensions") REX_IGNORE("-Wc++14-extensions") REX_IGNORE("-Wc++17-extensions")                   \
  REX_IGNORE("-Wc90-c99-compat") REX_IGNORE("-Wc99-c11-compat") REX_IGNORE("-Wc11-c2x-compat")                         \
  REX_IGNORE("-Wcast-align") REX_IGNORE("-Wcast-align=strict") REX_IGNORE("-Wcast-qual")                               \
  REX_IGNORE("-Wcomma-subscript") REX_IGNORE("-Wconversion") REX_IGNORE("-Wctor-dtor-privacy")                         \
  REX_IGNORE("-Wdeclaration-after-statement") REX_IGNORE("-Wdeprecated-declarations")                                  \
  REX_IGNORE("-Wdouble-promotion") REX_IGNORE("-Wduplicated-branches") REX_IGNORE("-Weffc++")                          \
  REX_IGNORE("-Wempty-body") REX_IGNORE("-Wextra") REX_IGNORE("-Wextra-semi") REX_IGNORE("-Wfloat-conversion")         \
  REX_IGNORE("-Wfloat-equal") REX_IGNORE("-Wignored-qualifiers") REX_IGNORE("-Wint-in-bool-context")                   \
  REX_IGNORE("-Wint-to-pointer-cast") REX_IGNORE("-Wjump-misses-init") REX_IGNORE("-Wlogical-op")                      \
  REX_IGNORE("-Wlong-long") REX_IGNORE("-Wmaybe-uninitialized") REX_IGNORE("-Wmisleading-indentation")                 \
  REX_IGNORE("-Wmissing-declarations") REX_IGNORE("-Wmissing-field-initializers") REX_IGNORE("-Wmissing-prototypes")   \
  REX_IGNORE("-Wmultiple-inheritance") REX_IGNORE("-Wnamespaces") REX_IGNORE("-Wnested-externs")                       \
  REX_IGNORE("-Wnoexcept") REX_IGNORE("-Wnon-virtual-dtor") REX_IGNORE("-Wnonnull-compare")                            \
  REX_IGNORE("-Wold-style-cast") REX_IGNORE("-Wnull-dereference") REX_IGNORE("-Woverlength-strings")                   \
  REX_IGNORE("-Wpadded") REX_IGNORE("-Wparentheses") REX_IGNORE("-Wpedantic") REX_IGNORE("-Wpointer-arith")            \
  REX_IGNORE("-Wpointer-to-int-cast") REX_IGNORE("-Wredundant-decls") REX_IGNORE("-Wredundant-tags")                   \
  REX_IGNORE("-Wshadow") REX_IGNORE("-Wshadow=compatible-local") REX_IGNORE("-Wshadow=local")                          \
  REX_IGNORE("-Wsign-compare") REX_IGNORE("-Wsign-conversion") REX_IGNORE("-Wsign-promo")                              \
  REX_IGNORE("-Wsized-deallocation") REX_IGNORE("-Wstack-usage=") REX_IGNORE("-Wsuggest-attribute=const")              \
  REX_IGNORE("-Wsuggest-attribute=noreturn") REX_IGNORE("-Wsuggest-attribute=pure") REX_IGNORE("-Wsuggest-override")   \
  REX_IGNORE("-Wswitch-default") REX_IGNORE("-Wtautological-compare") REX_IGNORE("-Wtemplates")                        \
  REX_IGNORE("-Wtraditional") REX_IGNORE("-Wtraditional-conversion") REX_IGNORE("-Wtype-limits")                       \
  REX_IGNORE("-Wundef") REX_IGNORE("-Wuninitialized") REX_IGNORE("-Wunsafe-loop-optimizations")                        \
  REX_IGNORE("-Wunused-but-set-variable") REX_IGNORE("-Wunused-const-variable=") REX_IGNORE("-Wunused-function")       \
  REX_IGNORE("-Wunused-local-typedefs") REX_IGNORE("-Wunused-value") REX_IGNORE("-Wunused-variable")                   \
  REX_IGNORE("-Wuseless-cast") REX_IGNORE("-Wvariadic-macros") REX_IGNORE("-Wvla") REX_IGNORE("-Wvolatile")            \
  REX_IGNORE("-Wwrite-strings") REX_IGNORE("-Wzero-as-null-pointer-constant")
#endif
#ifdef __GNUC__
#define REX_WARNINGS REX_PRAGMA(GCC diagnostic pop)
#else
#define REX_NO_WARNINGS
#define REX_WARNINGS
#endif

#endif
