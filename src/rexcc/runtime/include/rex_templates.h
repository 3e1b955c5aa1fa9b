// SPDX-License-Identifier: Apache-2.0
//
// Launches in templates. Objects of lambdas on their way to a device: a pointer that a lambda captured means there what it points to if that is
// mapped (OpenMP 5.2, 5.8.1), and keeps its value if it is not. Part of rex_kmp.h, for C++ alone.
#ifndef REX_TEMPLATES_H
#define REX_TEMPLATES_H

extern "C" void *rex_address_on_device(const void *pointer, __INT64_TYPE__ device) REX_HIDDEN;

#if __cplusplus >= 201103L
// An element of a function's parameter pack.
template <int position> struct rex_pack_element {
  template <class First, class... Rest>
  static auto of(First &, Rest &...rest) -> decltype(rex_pack_element<position - 1>::of(rest...)) {
    return rex_pack_element<position - 1>::of(rest...);
  }
};
template <> struct rex_pack_element<0> {
  template <class First, class... Rest> static First &of(First &first, Rest &...) { return first; }
};
#endif

// What a host version gets of an element: a copy of a number or pointer, an object as it is.
template <class Element, bool is_object> struct rex_host_element { typedef Element type; };
template <class Element> struct rex_host_element<Element, true> { typedef Element &type; };
template <class Element, __SIZE_TYPE__ count> struct rex_host_element<Element[count], false> {
  typedef Element (&type)[count];
};
template <class Element> struct rex_on_host : rex_host_element<Element, __is_class(Element) || __is_union(Element)> {};
template <class Element> struct rex_on_host<Element &> : rex_on_host<Element> {};
#if __cplusplus >= 201103L
template <class Element> struct rex_on_host<Element &&> : rex_on_host<Element> {};
#endif

// What a host version has of a variable: a copy in some instantiations, in others the variable.
template <bool is_copied, class Type> struct rex_host_copy {
  typedef Type &type;
  explicit rex_host_copy(Type &variable) : variable(variable) {}
  Type &value() { return variable; }
  Type &variable;
};
template <class Type> struct rex_host_copy<true, Type> {
  typedef Type type;
  explicit rex_host_copy(Type &variable) : variable(variable) {}
  Type &value() { return variable; }
  Type variable;
};
template <class Element, __SIZE_TYPE__ count> struct rex_host_copy<true, Element[count]> {
  typedef Element (&type)[count];
  explicit rex_host_copy(Element (&from)[count]) { __builtin_memcpy((void *)variable, (const void *)from, sizeof from); }
  Element (&value())[count] { return variable; }
  Element variable[count];
};

// The object that a device gets of a lambda without captures; others have a function of this name of their own.
template <class Object> static inline const Object &__rex_on_device(const Object &object, __INT64_TYPE__) { return object; }

// What a captured value is on a device: another lambda has captured values of its own.
template <class Value> static inline Value __rex_mapped(const Value &value, __INT64_TYPE__ device) {
  return __rex_on_device(value, device);
}
// The object that a device gets: one whose bytes are copied, which does not end on the host.
template <class Object> union rex_object_there {
  explicit rex_object_there(const Object &from, __INT64_TYPE__ device) : object(__rex_on_device(from, device)) {}
  ~rex_object_there() {}
  Object object;
};
template <class Object> struct rex_object_of { typedef rex_object_there<Object> there; };
template <class Object> struct rex_object_of<const Object> : rex_object_of<Object> {};
template <class Object> struct rex_object_of<Object &> : rex_object_of<Object> {};
#if __cplusplus >= 201103L
template <class Object> struct rex_object_of<Object &&> : rex_object_of<Object> {};
template <class Object> using rex_there = typename rex_object_of<Object>::there;
#endif

template <class Object> static inline Object *__rex_mapped(Object *const &pointer, __INT64_TYPE__ device) {
  return (Object *)rex_address_on_device((const void *)pointer, device);
}

template <class Object> static inline Object &__rex_mapped_reference(Object &object, __INT64_TYPE__ device) {
  return *(Object *)rex_address_on_device((const void *)&object, device);
}

#endif
