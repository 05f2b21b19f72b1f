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

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'10.0.0.1':{}}",
        "{'10.0.0.1':{'owner':'a'}}",
        "{'10.0.0.1':{'resource':'r'}}",
        "{'10.0.0.1':{'owner':'a','resource':'r'},'255.255.255.255':{},'0.0.0.0':{'resource':''}}",
      })
  @DisplayName("a compact address map is printed as the object that it stands for")
  void addressMap(String text) {
    JsonValue object = read(text.replace('\'', '"'));
    JsonValue table = AddressTable.compact(object.asObject());
    assertThat(table).isInstanceOf(AddressTable.class);
    assertThat(TreePrinter.compact(table)).isEqualTo(TreePrinter.compact(object));
    assertThat(TreePrinter.pretty(table)).isEqualTo(TreePrinter.pretty(object));
    assertThat(table.asObject()).isEqualTo(object);
  }

  @Test
  @DisplayName("a compact address list is printed as the array that it stands for")
  void addressList() {
    JsonValue array = read("[\"10.0.0.1\",\"255.0.0.255\",\"10.0.0.1\"]");
    JsonValue list = AddressList.compact(array.asArray());
    assertThat(list).isInstanceOf(AddressList.class);
    assertThat(TreePrinter.compact(list)).isEqualTo(TreePrinter.compact(array));
    assertThat(TreePrinter.pretty(list)).isEqualTo(TreePrinter.pretty(array));
    assertThat(list.asArray()).isEqualTo(array);
  }
}
