package io.tidemark.manifests;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a file says, without its text.
 *
 * @param hash of the file's content; equal views have equal hashes
 * @param mayEndEarly whether the last object may be cut off without a trace: it is written in
 *     lines, not in braces
 */
record FileView(
    String hash, boolean mayEndEarly, List<SeenObject> objects, List<ManifestProblem> problems) {
  FileView {
    objects = List.copyOf(objects);
    problems = List.copyOf(problems);
  }

  /**
   * One object of the file.
   *
   * @param hash of the object's own characters
   * @param where file and line
   */
  record SeenObject(String name, String hash, ParsedResource parsed, String where) {
    /** The object when nothing is wrong with it. */
    Optional<NodeResource> resource() {
      return parsed.match(Optional::of, invalid -> Optional.empty());
    }
  }

  /** A file whose text is read; objects that {@code known} has are not parsed again. */
  static FileView of(ManifestFile file, String hash, FileView known) {
    Map<String, SeenObject> parsed = new HashMap<>();
    known.objects().forEach(each -> parsed.put(each.name() + " " + each.hash(), each));
    List<SeenObject> objects = new ArrayList<>();
    for (ManifestObject object : file.objects()) {
      String own = ManifestBytes.hash(object.text());
      SeenObject before = parsed.get(object.name() + " " + own);
      boolean same = before != null && before.parsed() instanceof ParsedResource.Valid;
      ParsedResource resource = before != null && same ? before.parsed() : object.parse(file);
      String where = file.where(object.node().start());
      objects.add(new SeenObject(object.name(), own, resource, where));
    }
    return new FileView(hash, file.mayEndEarly(), objects, file.problems());
  }

  /** A file that cannot be read. */
  static FileView unreadable(ResourceProblem problem) {
    return new FileView(
        "unreadable: " + problem.problem(),
        false,
        List.of(),
        List.of(new ManifestProblem(problem, true)));
  }

  static FileView unreadable(String where, IOException e) {
    return unreadable(Words.unreadable(where, e));
  }

  /** A file that nothing is known of. */
  static FileView nothing() {
    return new FileView("", false, List.of(), List.of());
  }

  /** The first object of that name. */
  Optional<SeenObject> object(String name) {
    return objects.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /** Whether {@code object} is the one that may be cut off. */
  boolean mayEndEarly(SeenObject object) {
    return mayEndEarly && objects.get(objects.size() - 1).equals(object);
  }

  /** Whether objects that stood here before may still stand behind a problem. */
  boolean hides() {
    return problems.stream().anyMatch(ManifestProblem::hides);
  }

  /** What is wrong here, without the places, which move when lines come and go. */
  List<String> troubles() {
    List<String> troubles = new ArrayList<>();
    problems.forEach(each -> troubles.add(each.problem().problem()));
    objects.forEach(
        each -> each.parsed().match(valid -> true, invalid -> troubles.add(invalid.toString())));
    return troubles;
  }

  /** Whether everything here could be read. */
  boolean isWhole() {
    return problems.isEmpty()
        && objects.stream().allMatch(each -> each.parsed() instanceof ParsedResource.Valid);
  }
}
