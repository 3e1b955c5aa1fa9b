#pragma once
namespace lib { enum { FIRST = 3 };
typedef struct { int x; } one; template <int N> struct made { enum { size = N }; }; }
