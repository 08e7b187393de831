//go:build cgo && amd64 && !race

package low

// storesStayInOrder tells whether a plain store is seen after every load and store before it, so that no atomic one, which
// waits for them, is needed to hand memory over.
const storesStayInOrder = true
