// Package shapes shows every kind of declaration and statement.
package shapes

import (
	"fmt"
	. "math"
	s "strings"
)

import "os"

const (
	A, B = iota, 1 << iota
	C, D
)

const pi float64 = 3.14_15; var x, y int = 1, 2

type (
	Number interface {
		~int | ~float64
		fmt.Stringer
		String() string
	}
	List[T any] struct {
		next  *List[T]
		value T
	}
	Pair[K comparable, V any] = struct {
		K
		*os.File "embedded"
		a, b V `tag:"x"`
	}
	Matrix [4][N * 2]float64
	Send   chan<- chan<- int
	Recv   <-chan <-chan int
	F      func(int, ...string) (a, b int, err error)
)

func (l *List[T]) Push(v T) *List[T] { return &List[T]{l, v} }

func Map[T, U any, S ~[]T](in S, f func(T) U) (out []U) {
	for i := range in {
		out = append(out, f(in[i]))
	}
	return
}

func external(n int) (string, error)

func main() {
	defer func() { recover() }()
	go fmt.Println("x", 'a', '\'', '\u00e9', 0x1p-2, 1_000, .5e3, 2i, `raw
text`)
	var p = map[string][]Point{"a": {{1, 2}, {X: 1}}, "b": nil}
	if v, ok := p["a"]; ok && (v[0] == Point{1, 2}) {
		x = -y
	} else if f := func() bool { return true }; f() {
		x++
	} else {
		y--
	}
	for _, v := range []int{1, 2, 3} {
		x += v &^ 1
	}
	for i := 0; i < 10; i++ {
	}
	for x < 3 {
		break
	}
	for range 10 {
		continue
	}
	for ; ; {
	}
outer:
	for {
		switch {
		case x > 1, x < 0:
			fallthrough
		default:
			break outer
		}
	}
	switch t := any(x).(type) {
	case nil:
	case []int, *Point, func(int) string, map[string]int, chan int, <-chan int, interface{}:
		_ = t
	}
	select {
	case v, ok := <-c:
		_, _ = v, ok
	case c <- 1:
	default:
	}
	a[1], b[2:], c[:3], d[1:2:3] = <-c, (*T)(nil), ([]int)(x), []byte("x")[0]
	m := Map[int, string, []int](nil, nil)
	q := [...]int{2: 1, 3}
	_ = struct{ a int }{1}
	_ = make(chan struct{}, 1)
	_ = new(*[]int)
	_ = interface{}(x).(fmt.Stringer).String()
	z := 1 /* a comment
	with lines */ z++
	goto end
	{
	}
end:
}
