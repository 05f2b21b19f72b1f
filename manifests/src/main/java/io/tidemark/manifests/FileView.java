package io.tidemark.manifests;

import io.tidemark.manifests.ManifestFile.Problem;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a file says, without its text.
 *
 * @param hash of the file's content; equal views have equal hashes
 * @param mayEndEarly whether the last object may be cut off without a trace: it is written in
 *     lines, not in braces
 * @param byName the first object of each name
 */
record FileView<T>(
    String hash,
    boolean mayEndEarly,
    List<SeenObject<T>> objects,
    Map<String, SeenObject<T>> byName,
    List<Problem> problems) {
  /** A file that nothing is known of. */
  static <T> FileView<T> nothing() {
    return of("", false, List.of(), List.of());
  }

  /**
   * One object of the file.
   *
   * @param hash of the object's own characters
   * @param where file and line
   */
  record SeenObject<T>(String name, String hash, ParsedResource<T> parsed, String where) {
    boolean isValid() {
      return parsed instanceof ParsedResource.Valid<T>;
    }
  }

  private static <T> FileView<T> of(
      String hash, boolean mayEndEarly, List<SeenObject<T>> objects, List<Problem> problems) {
    Map<String, SeenObject<T>> byName = new LinkedHashMap<>();
    objects.forEach(each -> byName.putIfAbsent(each.name(), each));
    return new FileView<>(hash, mayEndEarly, List.copyOf(objects), byName, List.copyOf(problems));
  }

  /** A file whose text is read; objects that {@code known} has are not parsed again. */
  static <T> FileView<T> of(
      ManifestKind<T> kind, ManifestFile file, String hash, FileView<T> known) {
    List<SeenObject<T>> objects = new ArrayList<>();
    for (ManifestObject object : file.objects()) {
      String own = ManifestBytes.hash(object.text());
      SeenObject<T> before = known.byName.get(object.name());
      ParsedResource<T> parsed =
          before != null && before.isValid() && before.hash().equals(own)
              ? before.parsed()
              : object.parse(kind, file);
      String where = file.where(object.node().start());
      objects.add(new SeenObject<>(object.name(), own, parsed, where));
    }
    return of(hash, file.mayEndEarly(), objects, file.problems());
  }

  /** A file that cannot be read. */
  static <T> FileView<T> unreadable(ResourceProblem problem) {
    return of(
        "unreadable: " + problem.problem(), false, List.of(), List.of(new Problem(problem, true)));
  }

  Optional<SeenObject<T>> object(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Whether {@code object} is the one that may be cut off. */
  boolean mayEndEarly(SeenObject<T> object) {
    return mayEndEarly && objects.get(objects.size() - 1).equals(object);
  }

  /** Whether objects that stood here before may still stand behind a problem. */
  boolean hides() {
    return problems.stream().anyMatch(Problem::hides);
  }

  /** What is wrong here, without the places, which move when lines come and go. */
  List<String> troubles() {
    List<String> troubles = new ArrayList<>();
    problems.forEach(each -> troubles.add(each.problem().problem()));
    objects.stream()
        .filter(each -> !each.isValid())
        .forEach(each -> troubles.add(each.parsed().toString()));
    return troubles;
  }
}
