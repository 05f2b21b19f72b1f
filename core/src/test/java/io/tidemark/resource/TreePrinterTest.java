package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A document tree as text")
class TreePrinterTest {
  static JsonValue read(String text) {
    try {
      return JsonTreeJson.read(text, new Problems("test"));
    } catch (JsonTreeJson.SyntaxException e) {
      throw new AssertionError(text, e);
    }
  }

  @Test
  @DisplayName("every character of a key and a text is read back as it was")
  void everyCharacter() throws Exception {
    for (char c = 0; c < 0x180; c++) {
      String around = "a" + c + "b" + c;
      JsonValue value = JsonObject.of(around, new JsonText(Character.toString(c)));
      assertThat(read(TreePrinter.compact(value))).as("character %d", (int) c).isEqualTo(value);
      assertThat(read(TreePrinter.pretty(value))).as("character %d", (int) c).isEqualTo(value);
    }
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "8 | \\u0008",
        "9 | \\t",
        "10 | \\n",
        "13 | \\r",
        "31 | \\u001f",
        "16 | \\u0010",
        "34 | \\\"",
        "92 | \\\\",
        "47 | /",
        "127 | \u007f"
      })
  @DisplayName("a character is escaped only where JSON asks for it, in its shortest form")
  void escapes(int character, String printed) {
    assertThat(TreePrinter.compact(new JsonText("x" + (char) character)))
        .isEqualTo("\"x" + printed + '"');
  }

  @Test
  @DisplayName("a pretty print has one member or element per line, and empty ones stay closed")
  void pretty() {
    JsonValue tree =
        read("{'a':{},'b':[],'c':[1,[true,null]],'d':{'e':'x'},'f':false}".replace('\'', '"'));
    assertThat(TreePrinter.pretty(tree))
        .isEqualTo(
            """
            {
              "a": {},
              "b": [],
              "c": [
                1,
                [
                  true,
                  null
                ]
              ],
              "d": {
                "e": "x"
              },
              "f": false
            }"""
                .stripTrailing());
  }
}
