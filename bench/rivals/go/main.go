// The rivals in Go: what their users would write. A program of the protocol that bench/rivals/program.ts describes.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
)

type digest = [sha256.Size]byte

type introduction struct {
	Name    string              `json:"name"`
	Version string              `json:"version"`
	Ways    map[string][]string `json:"ways"`
}

// In nanoseconds per line.
type round struct {
	Elapsed   float64 `json:"elapsed"`
	Processor float64 `json:"processor"`
}

const (
	hashing = "net/url + crypto/sha256"
	message = "crypto/sha256"
	webRisk = "in the way of google/webrisk"
)

var works = map[string]func([]string, []digest){hashing: hashURLs, message: hashLines, webRisk: hashExpressions}

// Zeros for what is not a URL. net/url follows RFC 3986, not the URL standard.
func hashURLs(lines []string, digests []digest) {
	for row, line := range lines {
		parsed, err := url.Parse(line)
		if err != nil {
			digests[row] = digest{}
			continue
		}
		digests[row] = sha256.Sum256([]byte(parsed.String()))
	}
}

func hashLines(lines []string, digests []digest) {
	for row, line := range lines {
		digests[row] = sha256.Sum256([]byte(line))
	}
}

// It gives no digests: a line has many.
func hashExpressions(lines []string, _ []digest) {
	for _, line := range lines {
		expressionHashes(line)
	}
}

func timed(work func([]string, []digest), lines []string, digests []digest) round {
	start, processor := time.Now(), processorNanoseconds()
	work(lines, digests)
	count := float64(len(lines))
	return round{float64(time.Since(start)) / count, float64(processorNanoseconds()-processor) / count}
}

// Of all threads, the collector's too.
func processorNanoseconds() int64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func say(value any) {
	text, err := json.Marshal(value)
	check(err)
	fmt.Println(string(text))
}

func main() {
	runtime.GOMAXPROCS(1) // one thread, as all others have
	text, err := os.ReadFile(os.Args[1])
	check(err)
	lines := strings.Split(string(bytes.TrimSuffix(text, []byte("\n"))), "\n")
	digests := make([]digest, len(lines))
	ways := map[string][]string{"hash": {hashing}, "message": {message}, "expressions": {webRisk}}
	say(introduction{"Go", strings.TrimPrefix(runtime.Version(), "go"), ways})
	requests := bufio.NewScanner(os.Stdin)
	for requests.Scan() {
		kind, name, _ := strings.Cut(requests.Text(), " ")
		if kind == "round" {
			say(timed(works[name], lines, digests))
			continue
		}
		works[name](lines, digests)
		flat := make([]byte, 0, len(digests)*sha256.Size)
		for _, each := range digests {
			flat = append(flat, each[:]...)
		}
		fmt.Println(hex.EncodeToString(flat))
	}
	check(requests.Err())
}
