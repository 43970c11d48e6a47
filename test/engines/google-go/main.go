// Google's own Go clients of Safe Browsing against the servers, for test_google_client.py: prints what they read of each
// method's answer, as JSON.
//
//	go run . LISTS LOOK-UPS PREFIX…
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"google.golang.org/api/option"
	v4 "google.golang.org/api/safebrowsing/v4"
	"google.golang.org/api/safebrowsing/v5"
)

func main() {
	answers, err := ask(strings.TrimSuffix(os.Args[1], "v5/"), os.Args[3:])
	if err == nil {
		answers["matches"], err = find(os.Args[2], "http://evil.example/x", "http://good.example/")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}

func find(endpoint string, urls ...string) ([]*v4.GoogleSecuritySafebrowsingV4ThreatMatch, error) {
	client, err := v4.NewService(context.Background(), option.WithEndpoint(endpoint), option.WithAPIKey("KEY"))
	if err != nil {
		return nil, err
	}
	info := v4.GoogleSecuritySafebrowsingV4ThreatInfo{
		ThreatTypes: []string{"MALWARE"}, PlatformTypes: []string{"ANY_PLATFORM"}, ThreatEntryTypes: []string{"URL"},
	}
	for _, url := range urls {
		info.ThreatEntries = append(info.ThreatEntries, &v4.GoogleSecuritySafebrowsingV4ThreatEntry{Url: url})
	}
	request := v4.GoogleSecuritySafebrowsingV4FindThreatMatchesRequest{ThreatInfo: &info}
	found, err := client.ThreatMatches.Find(&request).Do()
	if err != nil {
		return nil, err
	}
	return found.Matches, nil
}

func ask(endpoint string, prefixes []string) (map[string]any, error) {
	client, err := safebrowsing.NewService(context.Background(), option.WithEndpoint(endpoint), option.WithAPIKey("KEY"))
	if err != nil {
		return nil, err
	}
	lists, err := client.HashLists.List().Do()
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, list := range lists.HashLists {
		names = append(names, list.Name)
	}
	whole, err := client.HashLists.BatchGet().Names(names...).Do()
	if err != nil {
		return nil, err
	}
	update, err := client.HashList.Get(names[0]).Version(whole.HashLists[0].Version).Do()
	if err != nil {
		return nil, err
	}
	found, err := client.Hashes.Search().HashPrefixes(prefixes...).Do()
	if err != nil {
		return nil, err
	}
	_, err = client.HashList.Get("none-4b").Do()
	return map[string]any{"whole": whole.HashLists, "update": update, "found": found, "error": err.Error()}, nil
}
