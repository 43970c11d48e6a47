// Answers questions of test/module/answers.ts, one JSON object per line, with the module that is named, in wazero.
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

type question struct {
	Profile, Base, Scheme, SiteRules string
	Output                           any
	Rows                             []string
}

type answer struct {
	Refused string   `json:"refused,omitempty"`
	Reasons []int    `json:"reasons,omitempty"`
	Values  []string `json:"values,omitempty"`
}

var outputs = map[string]uint64{"reason": 0, "form": 1, "host": 2, "site": 3, "surt": 4}

type urlsum struct{ module api.Module }

type result struct {
	reasons, values, offsets []byte
}

func (u urlsum) call(name string, text []byte, numbers ...uint64) (result, error) {
	ctx := context.Background()
	at, err := u.module.ExportedFunction("input").Call(ctx, uint64(len(text)))
	if err != nil {
		return result{}, err
	}
	u.module.Memory().Write(uint32(at[0]), text)
	if at, err = u.module.ExportedFunction(name).Call(ctx, numbers...); err != nil {
		return result{}, err
	}
	word := func(index uint32) uint32 {
		value, _ := u.module.Memory().ReadUint32Le(uint32(at[0]) + 4*index)
		return value
	}
	bytes := func(from, length uint32) []byte {
		view, _ := u.module.Memory().Read(from, length)
		return append([]byte{}, view...)
	}
	values := bytes(word(3), word(5))
	if word(0) != 0 {
		return result{}, errors.New(string(values))
	}
	found := result{reasons: bytes(word(2), word(1)), values: values}
	if word(4) != 0 {
		found.offsets = bytes(word(4), 4*word(1)+4)
	}
	return found, nil
}

func (u urlsum) answer(asked question) answer {
	if asked.SiteRules != "" {
		if _, err := u.call("siteRules", []byte(asked.SiteRules), uint64(len(asked.SiteRules))); err != nil {
			return answer{Refused: err.Error()}
		}
	}
	texts := []byte(asked.Profile + asked.Base + asked.Scheme)
	lengths := []uint64{uint64(len(asked.Profile)), uint64(len(asked.Base)), uint64(len(asked.Scheme))}
	if _, err := u.call("configure", texts, lengths...); err != nil {
		return answer{Refused: err.Error()}
	}
	offsets, bytes := make([]byte, 4), []byte{}
	for _, row := range asked.Rows {
		text, err := base64.StdEncoding.DecodeString(row)
		if err != nil {
			panic(err)
		}
		bytes = append(bytes, text...)
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(bytes)))
	}
	width, isDigest := asked.Output.(float64)
	output := uint64(width)
	if !isDigest {
		output = outputs[asked.Output.(string)]
	}
	found, err := u.call("rows", append(offsets, bytes...), uint64(len(asked.Rows)), uint64(len(bytes)), output)
	if err != nil {
		panic(err)
	}
	answered := answer{}
	for row, reason := range found.reasons {
		answered.Reasons = append(answered.Reasons, int(reason))
		value := ""
		if isDigest {
			value = hex.EncodeToString(found.values[row*int(width) : (row+1)*int(width)])
		} else if found.offsets != nil {
			value = string(found.values[binary.LittleEndian.Uint32(found.offsets[4*row:]):binary.LittleEndian.Uint32(found.offsets[4*row+4:])])
		}
		answered.Values = append(answered.Values, value)
	}
	return answered
}

func main() {
	ctx := context.Background()
	code, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	module, err := wazero.NewRuntime(ctx).Instantiate(ctx, code)
	if err != nil {
		panic(err)
	}
	reader, writer := bufio.NewReaderSize(os.Stdin, 1<<20), json.NewEncoder(os.Stdout)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			break
		}
		asked := question{}
		if err := json.Unmarshal(line, &asked); err != nil {
			panic(fmt.Errorf("%w: %s", err, line))
		}
		writer.SetEscapeHTML(false)
		if err := writer.Encode(urlsum{module}.answer(asked)); err != nil {
			panic(err)
		}
	}
}
