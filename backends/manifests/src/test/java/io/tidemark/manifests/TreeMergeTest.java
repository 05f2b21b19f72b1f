package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A change that was made on one state of an object, made on another")
class TreeMergeTest {
  private static final TreeMerge OWNED =
      new TreeMerge(List.of("s.i.pool.", "s.n."), List.of("s.i.pool.used."));

  private static ObjectNode tree(String text) throws UnreadableManifest {
    return (ObjectNode) DocumentsYaml.read(text).get(0).root();
  }

  @ParameterizedTest(name = "{0} to {1} on {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # before                 | after                       | now                              | result
          {s: {n: 1}}              | {s: {n: 2}}                 | {s: {n: 1, x: 9}, t: 3}          | {s: {n: 2, x: 9}, t: 3}
          {s: {n: 1}}              | {s: {n: 2}}                 | {s: {n: 2}}                      | {s: {n: 2}}
          {s: {n: 1}}              | {s: {}}                     | {s: {n: 1, x: 9}}                | {s: {x: 9}}
          {}                       | {s: {n: 2}}                 | {t: 3}                           | {t: 3, s: {n: 2}}
          {s: {n: 1.0}}            | {s: {n: 2}}                 | {s: {n: 1}}                      | {s: {n: 2}}
          {s: {n: {}}}             | {s: {n: 2}}                 | {s: {n: ~}}                      | {s: {n: 2}}
          {s: {i: {pool: {a: {}}}}}| {s: {i: {pool: {a: {}, b: {}}}}} | {s: {i: {x: 1, pool: {a: {}, c: {}}}}} | {s: {i: {x: 1, pool: {a: {}, c: {}, b: {}}}}}
          {s: {i: {pool: {a: {}}}}}| {s: {i: {pool: {}}}}        | {s: {i: {pool: {a: {}, c: {}}}}} | {s: {i: {pool: {c: {}}}}}
          """)
  @DisplayName("NM-J4 NM-J7 changes its own fields, and keeps all others and their order")
  void fits(String before, String after, String now, String result) throws Exception {
    ObjectNode current = tree(now);
    assertThat(OWNED.merge(tree(before), tree(after), current))
        .hasToString(tree(result).toString());
    assertThat(current).isEqualTo(tree(now));
  }

  @ParameterizedTest(name = "{0} to {1} on {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {s: {x: 1}}               | {s: {x: 2}}                    | {s: {x: 1}}                | s.x
          {s: {i: {pool: {}}}}      | {s: {i: {pool: {used: {a: 1}}}}} | {s: {i: {pool: {}}}}     | s.i.pool.used.a
          """)
  @DisplayName("NM-S2 is refused where this program does not write")
  void notOwned(String before, String after, String now, String path) {
    assertThatThrownBy(() -> OWNED.merge(tree(before), tree(after), tree(now)))
        .isInstanceOfSatisfying(
            TreeMerge.NotOwned.class, refused -> assertThat(refused).hasMessage(path));
  }
}
