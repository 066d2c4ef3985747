package api

import (
	"encoding/json"
	"reflect"
)

var marshaler = reflect.TypeFor[json.Marshaler]()

// filled returns v with an empty slice or map in place of each nil one, so that JSON says [] and {} and the page need
// not expect null. It copies what it changes: v may be shared.
func filled(v any) any {
	if v == nil {
		return nil
	}
	return fill(reflect.ValueOf(v)).Interface()
}

func fill(v reflect.Value) reflect.Value {
	t := v.Type()
	if t.Implements(marshaler) {
		return v
	}
	switch t.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		p := reflect.New(t.Elem())
		p.Elem().Set(fill(v.Elem()))
		return p
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		return fill(v.Elem())
	case reflect.Slice:
		s := reflect.MakeSlice(t, v.Len(), v.Len())
		reflect.Copy(s, v)
		if composite(t.Elem()) {
			for i := range v.Len() {
				s.Index(i).Set(fill(v.Index(i)))
			}
		}
		return s
	case reflect.Map:
		m := reflect.MakeMapWithSize(t, v.Len())
		for key, value := range v.Seq2() {
			m.SetMapIndex(key, fill(value))
		}
		return m
	case reflect.Struct:
		s := reflect.New(t).Elem()
		s.Set(v)
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && composite(f.Type) {
				s.Field(i).Set(fill(v.Field(i)))
			}
		}
		return s
	}
	return v
}

// composite says whether a type may hold slices or maps.
func composite(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Struct:
		return true
	}
	return false
}
