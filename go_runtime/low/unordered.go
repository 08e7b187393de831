//go:build cgo && !(amd64 && !race)

package low

const storesStayInOrder = false
