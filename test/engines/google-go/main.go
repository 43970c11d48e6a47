// Google's own Go client of Safe Browsing v5 against a server, for test_google_client.py: prints what it reads of each
// method's answer, as JSON.
//
//	go run . URL PREFIX…
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"google.golang.org/api/option"
	"google.golang.org/api/safebrowsing/v5"
)

func main() {
	answers, err := ask(strings.TrimSuffix(os.Args[1], "v5/"), os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(answers)
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
