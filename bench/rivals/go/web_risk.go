// What bench/safe-browsing.ts compares with in Go: hashes of a URL's expressions in the way of Web Risk's own client
// (github.com/google/webrisk: strings, regular expressions, the URL parsed for hosts and for paths, a map of hashes).
// Hosts beyond ASCII, which that client takes to Punycode, are few, and left as they are.
package main

import (
	"crypto/sha256"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

var (
	dots       = regexp.MustCompile(`\.+`)
	port       = regexp.MustCompile(`:[0-9]+$`)
	addressish = regexp.MustCompile(`^(?i)(?:(?:0x[0-9a-f]+|[0-9.])+)$`)
	scheme     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	breaks     = strings.NewReplacer("\t", "", "\r", "", "\n", "")
)

type parts struct{ host, path, query string }

func hexValue(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func unescapeOnce(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && hexValue(s[i+1]) >= 0 && hexValue(s[i+2]) >= 0 {
			b.WriteByte(byte(hexValue(s[i+1])<<4 | hexValue(s[i+2])))
			i += 2
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func unescape(s string) string {
	for {
		t := unescapeOnce(s)
		if t == s {
			return s
		}
		s = t
	}
}

func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= 0x20 || c >= 0x7f || c == '#' || c == '%' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func parse(url string) (parts, bool) {
	rest, _, _ := strings.Cut(url, "#")
	rest = escape(unescape(breaks.Replace(strings.TrimSpace(rest))))
	if found := scheme.FindString(rest); found != "" {
		rest = rest[len(found):]
		if !strings.HasPrefix(rest, "//") {
			return parts{}, false
		}
		rest = rest[2:]
	}
	rest, query, _ := strings.Cut(rest, "?")
	host, file := rest, ""
	if slash := strings.Index(rest, "/"); slash >= 0 {
		host, file = rest[:slash], rest[slash:]
	}
	host = port.ReplaceAllString(host[strings.LastIndex(host, "@")+1:], "")
	host = strings.Trim(dots.ReplaceAllString(host, "."), ".")
	if host == "" {
		return parts{}, false
	}
	if address, ok := ipv4(host); ok {
		host = address
	} else {
		host = escape(strings.ToLower(unescape(host)))
	}
	clean := path.Clean(file)
	if clean == "." {
		clean = "/"
	} else if strings.HasSuffix(file, "/") && clean != "/" {
		clean += "/"
	}
	return parts{host, clean, query}, true
}

func ipv4(host string) (string, bool) {
	if !addressish.MatchString(host) {
		return "", false
	}
	labels := strings.Split(host, ".")
	if len(labels) > 4 {
		return "", false
	}
	var address uint64
	for i, label := range labels {
		value, err := strconv.ParseUint(label, 0, 32)
		if err != nil {
			return "", false
		}
		if i == len(labels)-1 {
			address = address<<(8*uint(5-len(labels))) | value
		} else {
			address = address<<8 | value&0xff
		}
	}
	return fmt.Sprintf("%d.%d.%d.%d", byte(address>>24), byte(address>>16), byte(address>>8), byte(address)), true
}

func hosts(url string) []string {
	parsed, ok := parse(url)
	if !ok {
		return nil
	}
	list := []string{parsed.host}
	if _, isAddress := ipv4(parsed.host); isAddress {
		return list
	}
	labels := strings.Split(parsed.host, ".")
	for first := max(1, len(labels)-5); first < len(labels)-1; first++ {
		list = append(list, strings.Join(labels[first:], "."))
	}
	return list
}

func paths(url string) []string {
	parsed, _ := parse(url)
	list := []string{"/"}
	components := strings.FieldsFunc(parsed.path, func(r rune) bool { return r == '/' })
	for count := 1; count < min(4, len(components)); count++ {
		list = append(list, "/"+strings.Join(components[:count], "/")+"/")
	}
	if parsed.path != "/" {
		list = append(list, parsed.path)
	}
	if parsed.query != "" {
		list = append(list, parsed.path+"?"+parsed.query)
	}
	return list
}

func expressionHashes(url string) map[string]string {
	found := map[string]string{}
	all := paths(url)
	for _, host := range hosts(url) {
		for _, path := range all {
			sum := sha256.New()
			sum.Write([]byte(host + path))
			found[string(sum.Sum(nil))] = host + path
		}
	}
	return found
}
