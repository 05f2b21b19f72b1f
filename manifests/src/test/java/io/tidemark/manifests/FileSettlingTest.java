package io.tidemark.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.manifests.FileSettling.Look;
import io.tidemark.manifests.FileSettling.Verdict;
import io.tidemark.resource.NodeResource;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Whether a content of a file is believed")
class FileSettlingTest {
  private static final long SECOND = 1_000_000_000L;

  @ParameterizedTest(name = "{0} of {1}: {8}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # seen   | known  | start | finished | modified | unchanged | doubted | looks | verdict
          # nothing is known
          whole    | none   | true  | false    | 3600     | 0         | 0       | 1     | BELIEVE
          whole    | none   | true  | false    | 10       | 0         | 0       | 1     | BELIEVE
          whole    | none   | true  | false    | 9        | 0         | 0       | 1     | WAIT
          whole    | none   | true  | false    | -500     | 0         | 0       | 1     | WAIT
          whole    | none   | true  | true     | 0        | 0         | 0       | 1     | BELIEVE
          json     | none   | true  | false    | 0        | 0         | 0       | 1     | BELIEVE
          whole    | none   | false | false    | 60       | 0         | 0       | 1     | LOOK_AGAIN
          whole    | none   | false | false    | 60       | 0         | 0       | 2     | BELIEVE
          whole    | none   | false | false    | 3        | 3         | 3       | 9     | WAIT
          whole    | none   | false | false    | -500     | 10        | 10      | 9     | BELIEVE
          broken   | none   | true  | false    | 60       | 0         | 0       | 1     | LOOK_AGAIN
          # something is known
          whole    | whole  | false | false    | 0        | 0         | 0       | 1     | LOOK_AGAIN
          whole    | whole  | false | false    | 0        | 0         | 0       | 2     | BELIEVE
          more     | whole  | false | false    | 0        | 0         | 0       | 2     | BELIEVE
          bare     | whole  | false | false    | 60       | 9         | 9       | 9     | WAIT
          bare     | whole  | false | true     | 60       | 9         | 9       | 9     | WAIT
          bare     | whole  | false | false    | 60       | 10        | 10      | 1     | LOOK_AGAIN
          bare     | whole  | false | false    | 60       | 10        | 10      | 9     | BELIEVE
          bare     | whole  | false | false    | 0        | 0         | 30      | 1     | LOOK_AGAIN
          bare     | whole  | false | false    | 0        | 1         | 30      | 2     | BELIEVE
          bareJson | json   | false | false    | 0        | 1         | 1       | 2     | WAIT
          fewer    | whole  | false | false    | 0        | 1         | 1       | 2     | BELIEVE
          cut      | whole  | false | false    | 0        | 1         | 1       | 2     | WAIT
          idle     | whole  | false | false    | 0        | 1         | 1       | 2     | WAIT
          noPool   | whole  | false | false    | 0        | 1         | 1       | 2     | WAIT
          fewerJson| json   | false | false    | 0        | 1         | 1       | 2     | BELIEVE
          one      | two    | false | false    | 0        | 1         | 1       | 2     | WAIT
          two      | one    | false | false    | 0        | 1         | 1       | 2     | BELIEVE
          broken   | whole  | false | false    | 0        | 1         | 1       | 2     | BELIEVE
          """)
  void verdicts(
      String seen,
      String known,
      boolean start,
      boolean finished,
      long modified,
      long unchanged,
      long doubted,
      int looks,
      Verdict verdict) {
    Look look =
        new Look(start, finished, modified * SECOND, unchanged * SECOND, doubted * SECOND, looks);
    Optional<String> doubt =
        FileSettling.doubt(ManifestKind.CILIUM_NODE, view(known), view(seen), look);
    assertThat(FileSettling.of(doubt, view(seen), look)).isEqualTo(verdict);
  }

  private static FileView<NodeResource> view(String kind) {
    String used = "{10.0.0.1: {owner: x}, 10.0.0.2: {owner: y}}";
    String pool = "{10.0.0.1: {}, 10.0.0.2: {}}";
    return switch (kind) {
      case "none" -> FileView.nothing();
      case "broken" -> text("kind: \"Cil");
      case "bare" -> text(node("a", pool));
      case "more" -> text(status("a", pool, used.replace("2: {owner: y}", "2: {}, 10.0.0.3: {}")));
      case "fewer" -> text(status("a", pool, "{10.0.0.2: {owner: y}}"));
      case "cut" -> text(status("a", pool, "{10.0.0.1: {owner: x}}"));
      case "idle" -> text(status("a", pool, "{}"));
      case "noPool" -> text(status("a", "{}", used));
      case "two" -> text(node("b", pool) + "---\n" + status("a", pool, used));
      case "one" -> text(node("b", pool));
      case "json" -> text(json(status("a", pool, used)));
      case "bareJson" -> text(json(node("a", pool)));
      case "fewerJson" -> text(json(status("a", pool, "{}").replace("{}}", "{10.0.0.9: {}}}")));
      default -> text(status("a", pool, used));
    };
  }

  private static String node(String name, String pool) {
    return "kind: CiliumNode\napiVersion: cilium.io/v2\nmetadata: {name: "
        + name
        + "}\nspec: {ipam: {pool: "
        + pool
        + "}}\n";
  }

  private static String status(String name, String pool, String used) {
    return node(name, pool) + "status: {ipam: {used: " + used + "}}\n";
  }

  /** The same in braces. */
  private static String json(String lines) {
    return "{" + lines.strip().replace("\n", ", ") + "}\n";
  }

  private static FileView<NodeResource> text(String text) {
    ManifestFile file = ManifestFile.read(ManifestKind.CILIUM_NODE, "a.yaml", text);
    return FileView.of(
        ManifestKind.CILIUM_NODE, file, ManifestBytes.hash(text), FileView.nothing());
  }
}
