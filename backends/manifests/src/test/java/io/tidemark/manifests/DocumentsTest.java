package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.manifests.ManifestDocument.Unreadable;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

@DisplayName("The documents of a file")
class DocumentsTest {
  private static final String[] TEXTS =
      ("; ;a;null;~;true;yes;No;on;y;=;<<;-;- a;a: b;a #b;#b;1;01;0x1f;0o17;0b1;1_000;"
              + "1.5;1e3;.inf;12:30:45;2026-11-29;02:00:00:00:00:01;10.0.0.1;10.0.0.0/24;fd00::1;"
              + "';\";\\;*a;&a;!a;%a;@a;`a;{a};[a];?;? a;:;|;>;a\nb;a\n;\n;\t;a\tb;\u0085;\u2028;"
              + "\ud83d\ude00;---;...;--- a")
          .split(";", -1);

  private final JsonNodeFactory nodes = JsonNodeFactory.instance;
  private final Random random = new Random(11);

  private JsonNode value(int depth) {
    int kind = random.nextInt(depth > 3 ? 5 : 7);
    return switch (kind) {
      case 0 -> nodes.nullNode();
      case 1 -> nodes.booleanNode(random.nextBoolean());
      case 2 -> nodes.numberNode(java.math.BigInteger.valueOf(random.nextLong()));
      case 3 -> DecimalNode.valueOf(new BigDecimal("1." + random.nextInt(1000) + "0"));
      case 4 -> nodes.textNode(TEXTS[random.nextInt(TEXTS.length)]);
      case 5 -> {
        ArrayNode array = nodes.arrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          array.add(value(depth + 1));
        }
        yield array;
      }
      default -> {
        ObjectNode object = nodes.objectNode();
        for (int i = random.nextInt(5); i > 0; i--) {
          object.set(TEXTS[random.nextInt(TEXTS.length)], value(depth + 1));
        }
        yield object;
      }
    };
  }

  @Test
  @DisplayName("are printed so that they read the same, in YAML and in JSON, in the same order")
  void roundTrip() throws Unreadable {
    for (int i = 0; i < 500; i++) {
      List<JsonNode> roots =
          List.of(nodes.objectNode().set("a", value(0)), nodes.objectNode().set("b", value(0)));
      String yaml = DocumentsYaml.print(roots);
      assertThat(DocumentsYaml.read("f", yaml))
          .as(yaml)
          .extracting(ManifestDocument::root)
          .isEqualTo(roots);
      assertThat(roots.toString())
          .isEqualTo(
              DocumentsYaml.read("f", yaml).stream()
                  .map(ManifestDocument::root)
                  .toList()
                  .toString());
      String json = ManifestDocument.printJson(roots);
      assertThat(ManifestDocument.readJson("f", json))
          .as(json)
          .extracting(ManifestDocument::root)
          .isEqualTo(roots);
      assertThat(new Load(LoadSettings.builder().build()).loadAllFromString(yaml)).hasSize(2);
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a: 1                  | {"a":1}
          a: 0x1f               | {"a":31}
          a: 1.10               | {"a":1.10}
          a: TRUE               | {"a":true}
          a: yes                | {"a":"yes"}
          a: ~                  | {"a":null}
          a:                    | {"a":null}
          a: '1'                | {"a":"1"}
          a: .nan               | {"a":".nan"}
          a: [.NaN, -.INF]      | {"a":[".NaN","-.INF"]}
          a: 8e12345678901      | {"a":"8e12345678901"}
          a: &x [1]\\nb: *x     | {"a":[1],"b":[1]}
          a: 1\\n<<: {b: 2}     | {"a":1,"b":2}
          a: {b: c} # d         | {"a":{"b":"c"}}
          """)
  @DisplayName("mean what YAML 1.2 says")
  void scalars(String text, String json) throws Unreadable {
    assertThat(DocumentsYaml.read("f", text.replace("\\n", "\n")).get(0).root()).hasToString(json);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a: 1\\na: 2          | 2 | not YAML: found duplicate key a
          a: !x 1             | 1 | not YAML: could not determine a constructor for the tag !x
          ? [a]\\n: 1          | 1 | a key is not a plain text
          a: b: c             | 1 | not YAML: mapping values are not allowed here
          a: *x               | 1 | not YAML: found undefined alias x
          """)
  @DisplayName("that cannot be read are refused with the line")
  void refused(String text, int line, String problem) {
    Unreadable refused =
        catchThrowableOfType(
            Unreadable.class, () -> DocumentsYaml.read("f", text.replace("\\n", "\n")));
    assertThat(refused.problem.problem()).isEqualTo(problem);
    assertThat(refused.problem.where()).isEqualTo("f:" + line);
    assertThat(refused.problem.remedy()).isNotEmpty();
  }

  @Test
  @DisplayName("are not the elements of an array: it is one document, and what follows another")
  void array() throws Unreadable {
    assertThat(ManifestDocument.readJson("f", "[{\"a\":1},{\"b\":2}] {\"c\":3} null"))
        .extracting(each -> each.root().toString())
        .containsExactly("[{\"a\":1},{\"b\":2}]", "{\"c\":3}", "null");
  }

  @Test
  @DisplayName("that are nested deeply, or repeat themselves, are refused")
  void bounded() {
    String deep = "[".repeat(200) + "]".repeat(200);
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(10) + "x"));
    }
    assertThat(catchThrowableOfType(Unreadable.class, () -> DocumentsYaml.read("f", deep)))
        .hasMessage("nested deeper than 100 levels");
    assertThat(catchThrowableOfType(Unreadable.class, () -> ManifestDocument.readJson("f", deep)))
        .hasMessageContaining("nesting depth (101) exceeds the maximum allowed (100");
    assertThat(
            catchThrowableOfType(Unreadable.class, () -> DocumentsYaml.read("f", bomb.toString())))
        .isNotNull();
  }
}
