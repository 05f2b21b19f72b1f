package io.tidemark.resource.directory;

import io.tidemark.resource.ParsedResource;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a file says, without its text.
 *
 * @param hash of the file's content; equal views have equal hashes
 */
record FileView(String hash, List<SeenObject> objects, List<ManifestProblem> problems) {
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
  record SeenObject(String name, String hash, ParsedResource parsed, String where) {}

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
    return new FileView(hash, objects, file.problems());
  }

  /** A file that cannot be read. */
  static FileView unreadable(ResourceProblem problem) {
    return new FileView(
        "unreadable: " + problem.problem(), List.of(), List.of(new ManifestProblem(problem, true)));
  }

  static FileView unreadable(String where, IOException e) {
    return unreadable(Words.unreadable(where, e));
  }

  /** A file that nothing is known of. */
  static FileView nothing() {
    return new FileView("", List.of(), List.of());
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
