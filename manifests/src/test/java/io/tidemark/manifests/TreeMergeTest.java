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
  private static final OwnedPaths OWNED =
      OwnedPaths.of("s", List.of("s.i.pool", "s.n"), List.of("s.i.pool.used"));

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
          {s: {n: [a, b]}}         | {s: {n: [b, a]}}            | {s: {n: [c]}}                    | {s: {n: [c]}}
          {s: {n: {}}}             | {s: {n: 2}}                 | {s: {n: ~}}                      | {s: {n: 2}}
          {s: {i: {pool: {a: {}}}}}| {s: {i: {pool: {a: {}, b: {}}}}} | {s: {i: {x: 1, pool: {a: {}, c: {}}}}} | {s: {i: {x: 1, pool: {a: {}, c: {}, b: {}}}}}
          {s: {i: {pool: {a: {}}}}}| {s: {i: {pool: {}}}}        | {s: {i: {pool: {a: {}, c: {}}}}} | {s: {i: {pool: {c: {}}}}}
          """)
  @DisplayName("NM-J4 NM-J7 changes its own fields, and keeps all others and their order")
  void fits(String before, String after, String now, String result) throws Exception {
    ObjectNode current = tree(now);
    assertThat(TreeMerge.merge(OWNED, tree(before), tree(after), current))
        .hasToString(tree(result).toString());
    assertThat(current).isEqualTo(tree(now));
  }

  @ParameterizedTest(name = "{0} to {1} on {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {s: {n: 1}}               | {s: {n: 2}}                    | {s: {n: 3}}                | s.n           | true
          {s: {n: 1}}               | {s: {n: 2}}                    | {s: {}}                    | s.n           | true
          {s: {i: {pool: {a: 1}}}}  | {s: {i: {pool: {a: 2}}}}       | {s: {i: {pool: {a: 3}}}}   | s.i.pool.a    | true
          {s: {x: 1}}               | {s: {x: 2}}                    | {s: {x: 1}}                | s.x           | false
          {s: {i: {pool: {}}}}      | {s: {i: {pool: {used: {a: 1}}}}} | {s: {i: {pool: {}}}}     | s.i.pool.used | false
          """)
  @DisplayName(
      "NM-S2 is refused where somebody else changed the place, or this program does not write")
  void misfits(String before, String after, String now, String path, boolean clash) {
    assertThatThrownBy(() -> TreeMerge.merge(OWNED, tree(before), tree(after), tree(now)))
        .isInstanceOfSatisfying(
            TreeMerge.Misfit.class,
            misfit -> {
              assertThat(misfit.path()).isEqualTo(path);
              assertThat(misfit.isClash()).isEqualTo(clash);
            });
  }
}
