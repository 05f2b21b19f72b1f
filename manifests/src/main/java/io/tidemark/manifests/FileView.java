package io.tidemark.manifests;

import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The content of a file, without its text.
 *
 * @param hash of the content; equal views have equal hashes
 * @param unreadable why the file cannot be read as a whole; then its previous content counts
 * @param byName the first object of each name
 */
record FileView<T>(
    String hash,
    Optional<ResourceProblem> unreadable,
    List<SeenObject<T>> objects,
    Map<String, SeenObject<T>> byName,
    List<ResourceProblem> problems) {
  /**
   * One object of the file.
   *
   * @param hash of the object's own content
   * @param where file and line
   */
  record SeenObject<T>(String name, String hash, ParsedResource<T> parsed, String where) {
    boolean isValid() {
      return parsed instanceof ParsedResource.Valid<T>;
    }
  }

  /** A file that nothing is known of. */
  static <T> FileView<T> nothing() {
    return new FileView<>("", Optional.empty(), List.of(), Map.of(), List.of());
  }

  /** A file that cannot be read. */
  static <T> FileView<T> unreadable(ResourceProblem problem) {
    return new FileView<>(
        "unreadable: " + problem.problem(), Optional.of(problem), List.of(), Map.of(), List.of());
  }

  /** A file that was read; objects that {@code known} has are not parsed again. */
  static <T> FileView<T> of(
      ManifestKind<T> kind, ManifestFile file, String hash, FileView<T> known) {
    List<SeenObject<T>> objects = new ArrayList<>();
    Map<String, SeenObject<T>> byName = new LinkedHashMap<>();
    for (ManifestFile.Entry entry : file.objects()) {
      String own = entry.hash();
      ParsedResource<T> parsed =
          known
              .object(entry.name())
              .filter(before -> before.isValid() && before.hash().equals(own))
              .map(SeenObject::parsed)
              .orElseGet(() -> entry.parse(kind));
      SeenObject<T> seen = new SeenObject<>(entry.name(), own, parsed, entry.place());
      objects.add(seen);
      byName.putIfAbsent(seen.name(), seen);
    }
    return new FileView<>(
        hash, Optional.empty(), List.copyOf(objects), byName, List.copyOf(file.problems()));
  }

  Optional<SeenObject<T>> object(String name) {
    return Optional.ofNullable(byName.get(name));
  }
}
