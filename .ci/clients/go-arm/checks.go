package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
)

func must[T any](answer T, err error) T {
	check(err)
	return answer
}

func check(err error) {
	if err != nil {
		fail("refused: %v", err)
	}
}

// refused says that this is an error of Resource Manager with this status and code; with
// "OUTER/INNER" the inner code is the one of its first detail.
func refused(err error, status int, code string) *azcore.ResponseError {
	var refusal *azcore.ResponseError
	if !errors.As(err, &refusal) {
		fail("not refused with %d %s: %v", status, code, err)
	}
	outer, inner, nested := strings.Cut(code, "/")
	equal(refusal.ErrorCode, outer, "code of a refusal")
	equal(refusal.StatusCode, status, "status of "+code)
	if nested {
		equal(detail(refusal), inner, "inner code of "+outer)
	}
	return refusal
}

func detail(refusal *azcore.ResponseError) string {
	var body struct {
		Error struct{ Details []struct{ Code string } }
	}
	check(json.Unmarshal(must(runtime.Payload(refusal.RawResponse)), &body))
	if len(body.Error.Details) == 0 {
		return "none"
	}
	return body.Error.Details[0].Code
}

func equal[T comparable](seen, expected T, what string) {
	if seen != expected {
		fail("%s: %v, not %v", what, seen, expected)
	}
}

func require(holds bool, format string, values ...any) {
	if !holds {
		fail(format, values...)
	}
}

func text(value any) string {
	return fmt.Sprint(value)
}

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}
