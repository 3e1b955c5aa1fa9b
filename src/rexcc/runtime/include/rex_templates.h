// SPDX-License-Identifier: Apache-2.0
//
// Launches in templates. Objects of lambdas on their way to a device: a pointer that a lambda captured means there what it
// points to if that is mapped (OpenMP 5.2, 5.8.3), and keeps its value if it is not. What it captured by reference, and the
// object of its `this`, are mapped while the region is executed, unless they are mapped already. Part of rex_kmp.h, for C++
// alone.
#ifndef REX_TEMPLATES_H
#define REX_TEMPLATES_H

extern "C" void *rex_address_on_device(const void *pointer, __INT64_TYPE__ device) REX_HIDDEN;

// What lambdas refer to is told first, all of it, and mapped then, where it is not, because objects may be parts of others:
// `stays` tells that nothing changes it.
extern "C" void rex_want_capture(struct rex_capture **list, void *object, __SIZE_TYPE__ size, int stays, __INT64_TYPE__ device)
    REX_HIDDEN;
extern "C" void rex_map_captures(struct rex_capture **list, __INT64_TYPE__ device, struct __rex_ident *place) REX_HIDDEN;
extern "C" void rex_unmap_captures(struct rex_capture *list) REX_HIDDEN;
// Returns where an object is on the device. Where it has other bytes there than its own, it may be mapped by this.
extern "C" void *rex_place_of_capture(struct rex_capture **list, void *object, const void *bytes, __SIZE_TYPE__ size,
                                      __INT64_TYPE__ device, struct __rex_ident *place) REX_HIDDEN;
template <class Object> union REX_HIDDEN rex_object_there;

// What has been mapped for the lambdas of a region; its end unmaps it. Nothing is where an `if` clause keeps the region on
// the host.
class REX_HIDDEN rex_captures {
public:
  explicit rex_captures(__INT64_TYPE__ device, bool wanted = true)
      : device(device), wanted(wanted), place(0), list(0), begun(false), copies(false) {}
  ~rex_captures() { end(); }
  // A lambda that the region gets.
  template <class Object> void add(const Object &object) { rex_object_there<Object> told(object, *this); }
  // Maps what they all refer to, when the tasks that the region's depends on have ended; messages name the region's place.
  void begin(struct __rex_ident *region, struct rex_task *task = 0) {
    begun = true;
    place = region;
    if (task && (list || copies)) {
      rex_wait_for_depends(task, place);
      task->depend_num = 0;
    }
    if (list) rex_map_captures(&list, device, place);
  }
  void end() {
    if (list) rex_unmap_captures(list);
    list = 0;
  }
  // Whether the region's task may be executed later than this object ends.
  bool has_none() const { return !list; }
  void *find(const void *pointer) const {
    return begun && wanted ? rex_address_on_device(pointer, device) : const_cast<void *>(pointer);
  }
  void *map(const void *object, const void *bytes, __SIZE_TYPE__ size, bool stays) {
    void *here = const_cast<void *>(object);
    if (!wanted) return here;
    if (begun) return rex_place_of_capture(&list, here, bytes, size, device, place);
    if (bytes == object)
      rex_want_capture(&list, here, size, stays, device);
    else
      copies |= rex_address_on_device(object, device) == object;
    return here;
  }

private:
  rex_captures(const rex_captures &);
  rex_captures &operator=(const rex_captures &);
  const __INT64_TYPE__ device;
  const bool wanted;
  struct __rex_ident *place;
  struct rex_capture *list;
  bool begun, copies;
};

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
template <class Captures, class Object> static inline const Object &__rex_on_device(const Object &object, Captures &) {
  return object;
}

// What a captured value is on a device: another lambda has captured values of its own.
template <class Value> static inline Value __rex_mapped(const Value &value, rex_captures &captures) {
  return __rex_on_device(value, captures);
}
template <class Object> static inline Object *__rex_mapped(Object *const &pointer, rex_captures &captures) {
  return (Object *)captures.find((const void *)pointer);
}

// The object that a device gets: one whose bytes are copied, which does not end on the host.
template <class Object> union REX_HIDDEN rex_object_there {
  explicit rex_object_there(const Object &from, rex_captures &captures) : object(__rex_on_device(from, captures)) {}
  ~rex_object_there() {}
  Object object;
};
template <class Object> struct rex_object_of { typedef rex_object_there<Object> there; };
template <class Object> struct rex_object_of<const Object> : rex_object_of<Object> {};
template <class Object> struct rex_object_of<Object &> : rex_object_of<Object> {};
#if __cplusplus >= 201103L
template <class Object> struct rex_object_of<Object &&> : rex_object_of<Object> {};
template <class Object> using rex_there = typename rex_object_of<Object>::there;

// What a lambda refers to; `Made` is what is made of it for a device.
template <class Object, class Made> struct REX_HIDDEN rex_referred { // another lambda
  static void *map(Object &object, rex_captures &captures) {
    rex_object_there<Made> made(object, captures);
    return captures.map((const void *)&object, (const void *)&made.object, sizeof made, true);
  }
};
template <class Object> struct REX_HIDDEN rex_referred<Object *const, Object *const &> { // a pointer
  static void *map(Object *const &pointer, rex_captures &captures) {
    Object *made = __rex_mapped(pointer, captures);
    return captures.map((const void *)&pointer, (const void *)&made, sizeof made, true);
  }
};
template <class Object> struct REX_HIDDEN rex_referred<Object *, Object *const &> : rex_referred<Object *const, Object *const &> {};
template <class Object> struct REX_HIDDEN rex_referred<Object, const Object &> { // an object that may change
  static void *map(Object &object, rex_captures &captures) {
    const void *place = (const void *)__builtin_addressof(object);
    return captures.map(place, place, sizeof object, false);
  }
};
template <class Object> struct REX_HIDDEN rex_referred<const Object, const Object &> { // one that stays as it is
  static void *map(const Object &object, rex_captures &captures) {
    const void *place = (const void *)__builtin_addressof(object);
    return captures.map(place, place, sizeof object, true);
  }
};

template <class Object> static inline Object &__rex_mapped_reference(Object &object, rex_captures &captures) {
  return *(Object *)rex_referred<Object, decltype(__rex_on_device(object, captures))>::map(object, captures);
}
// The same of one that may change although it is constant, for members say so.
template <class Object> static inline Object &__rex_mapped_reference(Object &object, rex_captures &captures, bool) {
  const void *place = (const void *)__builtin_addressof(object);
  return *(Object *)captures.map(place, place, sizeof object, false);
}
template <class Object, class... Changes>
static inline Object *__rex_mapped_object(Object *object, rex_captures &captures, Changes... changes) {
  return __builtin_addressof(__rex_mapped_reference(*object, captures, changes...));
}
#endif

#endif
