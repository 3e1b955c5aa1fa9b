// SPDX-License-Identifier: Apache-2.0
//
// clang's type traits that are words of its own (clang's manual, "Type Trait Primitives") and unknown to nvcc, by those of
// the C++ library, in device files whose program names one. Stands behind the system headers, which have names like
// these. The others, as __is_same and __is_enum, are words for nvcc, too.
#ifndef REX_DEVICE_TRAITS_H
#define REX_DEVICE_TRAITS_H

#ifdef __CUDACC__
#include <type_traits>

#define __is_integral(...) (::std::is_integral<__VA_ARGS__>::value)
#define __is_floating_point(...) (::std::is_floating_point<__VA_ARGS__>::value)
#define __is_arithmetic(...) (::std::is_arithmetic<__VA_ARGS__>::value)
#define __is_signed(...) (::std::is_signed<__VA_ARGS__>::value)
#define __is_unsigned(...) (::std::is_unsigned<__VA_ARGS__>::value)
#define __is_void(...) (::std::is_void<__VA_ARGS__>::value)
#define __is_pointer(...) (::std::is_pointer<__VA_ARGS__>::value)
#define __is_nullptr(...) (::std::is_null_pointer<__VA_ARGS__>::value)
#define __is_array(...) (::std::is_array<__VA_ARGS__>::value)
#define __is_bounded_array(...) (::std::extent<__VA_ARGS__>::value != 0)
#define __is_unbounded_array(...) (::std::is_array<__VA_ARGS__>::value && ::std::extent<__VA_ARGS__>::value == 0)
#define __is_reference(...) (::std::is_reference<__VA_ARGS__>::value)
#define __is_lvalue_reference(...) (::std::is_lvalue_reference<__VA_ARGS__>::value)
#define __is_rvalue_reference(...) (::std::is_rvalue_reference<__VA_ARGS__>::value)
#define __is_const(...) (::std::is_const<__VA_ARGS__>::value)
#define __is_volatile(...) (::std::is_volatile<__VA_ARGS__>::value)
#define __is_scalar(...) (::std::is_scalar<__VA_ARGS__>::value)
#define __is_fundamental(...) (::std::is_fundamental<__VA_ARGS__>::value)
#define __is_object(...) (::std::is_object<__VA_ARGS__>::value)
#define __is_compound(...) (::std::is_compound<__VA_ARGS__>::value)
#define __is_member_pointer(...) (::std::is_member_pointer<__VA_ARGS__>::value)
#define __is_member_object_pointer(...) (::std::is_member_object_pointer<__VA_ARGS__>::value)
#define __is_member_function_pointer(...) (::std::is_member_function_pointer<__VA_ARGS__>::value)
#define __is_scoped_enum(...) (rex_detail::is_scoped_enum<__VA_ARGS__>::value)
#define __is_referenceable(...) (rex_detail::is_referenceable<__VA_ARGS__>::value)
#define __is_convertible(...) (::std::is_convertible<__VA_ARGS__>::value)
#define __is_convertible_to(...) (::std::is_convertible<__VA_ARGS__>::value)
#define __array_rank(...) (::std::rank<__VA_ARGS__>::value)
#define __array_extent(...) (::std::extent<__VA_ARGS__>::value)

#define __remove_const(...) typename ::std::remove_const<__VA_ARGS__>::type
#define __remove_volatile(...) typename ::std::remove_volatile<__VA_ARGS__>::type
#define __remove_cv(...) typename ::std::remove_cv<__VA_ARGS__>::type
#define __remove_reference_t(...) typename ::std::remove_reference<__VA_ARGS__>::type
#define __remove_cvref(...) __remove_cv(__remove_reference_t(__VA_ARGS__))
#define __remove_pointer(...) typename ::std::remove_pointer<__VA_ARGS__>::type
#define __remove_extent(...) typename ::std::remove_extent<__VA_ARGS__>::type
#define __remove_all_extents(...) typename ::std::remove_all_extents<__VA_ARGS__>::type
#define __add_pointer(...) typename ::std::add_pointer<__VA_ARGS__>::type
#define __decay(...) typename ::std::decay<__VA_ARGS__>::type

namespace rex_detail {

template <class T, bool = std::is_enum<T>::value> struct is_scoped_enum : std::false_type {};
template <class T>
struct is_scoped_enum<T, true> : std::integral_constant<bool, !std::is_convertible<T, long long>::value> {};

template <class T, class = void> struct is_referenceable : std::false_type {};
template <class T> struct is_referenceable<T, decltype((void)sizeof(T &(*)()))> : std::true_type {};

} // namespace rex_detail
#endif

#endif
