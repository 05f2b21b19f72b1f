package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("JSON text as a document tree")
class JsonTreeJsonTest {
  private static JsonArray array(String text) {
    return TreePrinterTest.read(text.replace('\'', '"')).asArray();
  }

  @Test
  @DisplayName("texts and keys that differ are never taken for each other")
  void kept() {
    // "Aa" and "BB" have one hash, and so have longer texts made of them.
    JsonArray texts = array("['Aa','BB','AaAa','BBBB','AaBB','BBAa','Aa','BB','AaAaa','AaAa']");
    assertThat(texts)
        .isEqualTo(
            Members.arrayOf(
                List.of("Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa", "Aa", "BB", "AaAaa", "AaAa")));
    for (long seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      JsonObject.Builder wanted = JsonObject.builder();
      for (int i = 0; i < 1000; i++) {
        String text = "x".repeat(random.nextInt(70)) + random.nextInt(2000);
        wanted.add(text, Members.arrayOf(List.of(text, text + "x")));
      }
      JsonObject object = wanted.build();
      assertThat(TreePrinterTest.read(TreePrinter.compact(object)))
          .as("seed %d", seed)
          .isEqualTo(object);
    }
  }

  @Test
  @DisplayName("equal short texts and keys are one object in memory, in all documents")
  void shared() {
    String longest = "x".repeat(64);
    JsonArray texts =
        array("['a','eni-0123456789','eni-0123456789','a','%1$s','%1$s']".formatted(longest));
    assertThat(texts.elements().get(2)).isSameAs(texts.elements().get(1));
    assertThat(texts.elements().get(3)).isSameAs(texts.elements().get(0));
    assertThat(texts.elements().get(5)).isSameAs(texts.elements().get(4));
    assertThat(array("['%s']".formatted(longest)).elements().get(0))
        .isSameAs(texts.elements().get(4));
    JsonArray objects = array("[{'resource':1},{'resource':2}]");
    String key = objects.elements().get(0).asObject().key(0);
    assertThat(key).isSameAs(objects.elements().get(1).asObject().key(0));
    assertThat(key).isSameAs(array("[{'resource':3}]").elements().get(0).asObject().key(0));
  }

  @ParameterizedTest(name = "{0}: line {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[1]n2          | 2 | more text",
        "[1,n,2]        | 2 | ','",
        "''             | 0 | empty",
        "[n[n           | 3 | end-of-input"
      })
  @DisplayName("what is wrong with a text is told with its line")
  void lines(String text, int line, String message) {
    assertThatThrownBy(() -> JsonTreeJson.read(text.replace('n', '\n'), new Problems("test")))
        .isInstanceOfSatisfying(
            JsonTreeJson.SyntaxException.class,
            e -> {
              assertThat(e.line()).isEqualTo(line);
              assertThat(e.getMessage()).contains(message);
            });
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'a':1,'a':2}                       | a",
        "{'a':{'b':1,'b':2}}                 | a.b",
        "{'a':[{},{'b':1,'b':2}]}            | a[1].b",
        "[0,[{'a':1,'a':2}]]                 | [1][0].a",
        "{'x':0,'a':[0,{'b':{'c':1,'c':2}}]} | a[1].b.c"
      })
  @DisplayName("a key that is there twice is told with its place, and its first value stays")
  void twice(String text, String path) throws Exception {
    Problems problems = new Problems("test");
    JsonValue value = JsonTreeJson.read(text.replace('\'', '"'), problems);
    assertThat(problems.toList()).singleElement().extracting("path").isEqualTo(path);
    assertThat(TreePrinter.compact(value).replace('"', '\''))
        .isEqualTo(text.replaceAll(",'(.)':2", ""));
  }

  @Test
  @DisplayName("in a stream, the place of a key that is there twice is that in its own value")
  void twiceInStream() throws Exception {
    try (JsonParser parser =
        new JsonFactory().createParser("{\"items\":[{},{\"a\":{\"b\":1,\"b\":2}}]}")) {
      for (int i = 0; i < 6; i++) {
        parser.nextToken();
      }
      Problems problems = new Problems("test");
      assertThat(TreePrinter.compact(JsonTreeJson.read(parser, problems)))
          .isEqualTo("{\"a\":{\"b\":1}}");
      assertThat(problems.at("moved").toList())
          .singleElement()
          .satisfies(it -> assertThat(it.path()).isEqualTo("a.b"))
          .satisfies(it -> assertThat(it.where()).isEqualTo("moved"));
    }
  }

  @Test
  @DisplayName("values are read from a stream one after the other, and nothing when it has ended")
  void stream() throws Exception {
    try (JsonParser parser = new JsonFactory().createParser("{\"a\":[1]} [true] 7")) {
      Problems problems = new Problems("test");
      assertThat(JsonTreeJson.read(parser, problems))
          .isEqualTo(TreePrinterTest.read("{\"a\":[1]}"));
      parser.nextToken();
      assertThat(JsonTreeJson.read(parser, problems)).isEqualTo(array("[true]"));
      parser.nextToken();
      assertThat(JsonTreeJson.read(parser, problems)).isEqualTo(JsonNumber.of(7));
    }
    try (JsonParser parser = new JsonFactory().createParser(" ")) {
      assertThat(JsonTreeJson.read(parser, new Problems("test"))).isEqualTo(JsonNull.NULL);
    }
  }
}
