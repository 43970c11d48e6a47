// The rival in Go, for bench/rivals.ts: a program of the protocol that bench/rivals/program.ts describes.
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

const way = "net/url + crypto/sha256"

type introduction struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	Ways    []string `json:"ways"`
}

// In nanoseconds per line.
type round struct {
	Elapsed   float64 `json:"elapsed"`
	Processor float64 `json:"processor"`
}

// Zeros for what is not a URL. net/url follows RFC 3986, not the URL standard.
func digest(line string) (sum [sha256.Size]byte) {
	parsed, err := url.Parse(line)
	if err != nil {
		return sum
	}
	return sha256.Sum256([]byte(parsed.String()))
}

func digests(lines []string) string {
	var text strings.Builder
	for _, line := range lines {
		sum := digest(line)
		text.WriteString(hex.EncodeToString(sum[:]))
	}
	return text.String()
}

// Keeps the digests in use, so that none is optimized away.
var sink byte

func timed(lines []string) round {
	start, processor := time.Now(), processorNanoseconds()
	for _, line := range lines {
		sum := digest(line)
		sink ^= sum[0]
	}
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

func linesOf(path string) []string {
	text, err := os.ReadFile(path)
	check(err)
	return strings.Split(string(bytes.TrimSuffix(text, []byte("\n"))), "\n")
}

func main() {
	runtime.GOMAXPROCS(1) // one thread, as all others have
	lines := linesOf(os.Args[1])
	say(introduction{"Go", strings.TrimPrefix(runtime.Version(), "go"), []string{way}})
	requests := bufio.NewScanner(os.Stdin)
	for requests.Scan() {
		switch requests.Text() {
		case "digests " + way:
			fmt.Println(digests(lines))
		case "round " + way:
			say(timed(lines))
		default:
			panic("not a request: " + requests.Text())
		}
	}
	check(requests.Err())
}
