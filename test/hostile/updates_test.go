package safebrowsing

// Put into a copy of Google's client by go-client.ts: applies each of our updates as the client does, which checks their
// checksums, and prints how many it took.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	"github.com/golang/protobuf/proto"
	pb "github.com/google/safebrowsing/internal/safebrowsing_proto"
)

func TestUrlsumUpdates(t *testing.T) {
	// each message after its length, four bytes, little-endian
	data, err := os.ReadFile(os.Getenv("URLSUM_UPDATES"))
	if err != nil {
		t.Fatal(err)
	}
	threats := make(threatsForUpdate)
	count := 0
	for len(data) > 0 {
		length := binary.LittleEndian.Uint32(data)
		response := new(pb.FetchThreatListUpdatesResponse)
		if err := proto.Unmarshal(data[4:4+length], response); err != nil {
			t.Fatalf("message %d: %v", count, err)
		}
		if err := threats.update(response); err != nil {
			t.Fatalf("message %d: %v", count, err)
		}
		for _, list := range response.ListUpdateResponses {
			if list.Checksum == nil || !bytes.Equal(list.Checksum.Sha256, checksumOf(threats, list)) {
				t.Fatalf("message %d: the checksum differs", count)
			}
		}
		data = data[4+length:]
		count++
	}
	fmt.Printf("urlsum: %d messages\n", count)
}

func checksumOf(threats threatsForUpdate, list *pb.FetchThreatListUpdatesResponse_ListUpdateResponse) []byte {
	descriptor := ThreatDescriptor{
		PlatformType:    PlatformType(list.PlatformType),
		ThreatType:      ThreatType(list.ThreatType),
		ThreatEntryType: ThreatEntryType(list.ThreatEntryType),
	}
	return threats[descriptor].Hashes.SHA256()
}
