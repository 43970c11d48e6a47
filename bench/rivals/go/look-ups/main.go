// The rival of `urlsum safe-browsing serve`, for bench/look-ups.ts: Google's client of version 4, which answers as its
// sbserver does, from a server that sbserver has no flag for.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"

	"github.com/google/safebrowsing"
)

type entry struct {
	URL string `json:"url"`
}

type request struct {
	ThreatInfo struct {
		ThreatEntries []entry `json:"threatEntries"`
	} `json:"threatInfo"`
}

type match struct {
	ThreatType      string `json:"threatType"`
	PlatformType    string `json:"platformType"`
	ThreatEntryType string `json:"threatEntryType"`
	Threat          entry  `json:"threat"`
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	runtime.GOMAXPROCS(1) // one core, as the other
	browser, err := safebrowsing.NewSafeBrowser(safebrowsing.Config{
		ServerURL: os.Args[1],
		APIKey:    "none",
		ThreatLists: []safebrowsing.ThreatDescriptor{
			{ThreatType: safebrowsing.ThreatType_Malware, PlatformType: safebrowsing.PlatformType_AnyPlatform, ThreatEntryType: safebrowsing.ThreatEntryType_URL},
			{ThreatType: safebrowsing.ThreatType_SocialEngineering, PlatformType: safebrowsing.PlatformType_AnyPlatform, ThreatEntryType: safebrowsing.ThreatEntryType_URL},
			{ThreatType: safebrowsing.ThreatType_UnwantedSoftware, PlatformType: safebrowsing.PlatformType_AnyPlatform, ThreatEntryType: safebrowsing.ThreatEntryType_URL},
			{ThreatType: safebrowsing.ThreatType_PotentiallyHarmfulApplication, PlatformType: safebrowsing.PlatformType_AnyPlatform, ThreatEntryType: safebrowsing.ThreatEntryType_URL},
		},
	})
	check(err)
	http.HandleFunc("/v4/threatMatches:find", func(response http.ResponseWriter, asked *http.Request) {
		var body request
		if err := json.NewDecoder(asked.Body).Decode(&body); err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		urls := make([]string, len(body.ThreatInfo.ThreatEntries))
		for index, each := range body.ThreatInfo.ThreatEntries {
			urls[index] = each.URL
		}
		found, err := browser.LookupURLsContext(asked.Context(), urls)
		if err != nil {
			http.Error(response, err.Error(), http.StatusInternalServerError)
			return
		}
		matches := []match{}
		for index, threats := range found {
			types := map[safebrowsing.ThreatType]bool{}
			for _, threat := range threats {
				if !types[threat.ThreatType] {
					types[threat.ThreatType] = true
					matches = append(matches, match{threat.ThreatType.String(), "ANY_PLATFORM", "URL", entry{urls[index]}})
				}
			}
		}
		response.Header().Set("Content-Type", "application/json")
		check(json.NewEncoder(response).Encode(map[string][]match{"matches": matches}))
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	fmt.Printf("http://%s/\n", listener.Addr())
	check(http.Serve(listener, nil))
}
