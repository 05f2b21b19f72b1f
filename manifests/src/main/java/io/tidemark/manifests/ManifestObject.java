package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Child;
import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.manifests.MarkedNode.Document;
import io.tidemark.manifests.MarkedNode.Scalar;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One object in a file.
 *
 * @param name {@code metadata.name}
 * @param text the object's own characters: two objects with the same text are the same version
 * @param path where it stands in its document, such as {@code items[3]}; empty for a whole document
 * @param bare whether it is an item of a list that says its kind once for all
 */
record ManifestObject(
    String name, Document document, Compound node, String text, String path, boolean bare) {
  private static final int JSON_LENGTH_MAX = 16 << 20;

  /** What the object describes, or what is wrong with it, by file and line. */
  <T> ParsedResource<T> parse(ManifestKind<T> kind, ManifestFile file) {
    String json;
    try {
      json = MarkedJson.print(bare ? complete(kind) : node, JSON_LENGTH_MAX);
    } catch (TextFault e) {
      ResourceProblem problem =
          new ResourceProblem(file.where(e.offset()), path, e.problem(), e.remedy());
      return new ParsedResource.Invalid<>(Optional.of(name), List.of(problem));
    }
    return kind.parse(json)
        .match(
            ParsedResource.Valid::new,
            invalid ->
                new ParsedResource.Invalid<>(
                    Optional.of(name),
                    invalid.problems().stream().map(each -> placed(file, each)).toList()));
  }

  private ResourceProblem placed(ManifestFile file, ResourceProblem problem) {
    int place = ObjectPath.nearest(node, problem.path()).start();
    String inner = problem.path();
    String full = path.isEmpty() || inner.isEmpty() ? path + inner : path + "." + inner;
    return new ResourceProblem(file.where(place), full, problem.problem(), problem.remedy());
  }

  /** The object with the kind that its list says for it. */
  private Compound complete(ManifestKind<?> kind) {
    List<Child> entries = new ArrayList<>();
    if (node.child("apiVersion").isEmpty()) {
      entries.add(Child.of("apiVersion", Scalar.string(kind.apiVersion())));
    }
    if (node.child("kind").isEmpty()) {
      entries.add(Child.of("kind", Scalar.string(kind.kind())));
    }
    entries.addAll(node.children());
    return Compound.mapping(entries);
  }
}
