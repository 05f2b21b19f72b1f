package io.tidemark.nodeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.testing.ErrorDocs;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeIdTest {
  @DisplayName("A node id is a number from 1 to 2^32 - 1")
  @ParameterizedTest
  @ValueSource(strings = {"1", "2", "254", "2147483648", "4294967295"})
  void accepted(String text) {
    NodeId id = NodeId.parse(text);
    assertThat(id).hasToString(text).isEqualTo(NodeId.of(Long.parseLong(text)));
    assertThat(id.number()).isEqualTo(Long.parseLong(text));
    assertThat(NodeId.of(1).compareTo(id)).isEqualTo(text.equals("1") ? 0 : -1);
  }

  @DisplayName("NI-D8 Zero, what is no number and what needs more than 32 bits is refused")
  @ParameterizedTest(name = "text '{0}'")
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "0, 0",
        "00, 0",
        "4294967296, 4294967296",
        "99999999999, \"'99999999999'\"",
        "-1, \"'-1'\"",
        "+1, \"'+1'\"",
        "1.5, \"'1.5'\"",
        "five, \"'five'\"",
        "\"\", \"''\""
      })
  void refused(String text, String shown) {
    assertThatThrownBy(() -> NodeId.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("node id is " + shown + "; expected a number from 1 to 4294967295");
  }

  @Test
  @DisplayName("docs/errors.md lists every code of node ids as it is")
  void documented() {
    ErrorDocs.assertListed(1500, 1599, List.of(NodeIdError.class));
    ErrorDocs.assertSound(List.of(NodeIdError.class));
  }
}
