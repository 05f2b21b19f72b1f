package io.tidemark.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Collects what is wrong with one document, up to a bound. */
final class Problems {
  private static final int KEPT_MAX = 100;

  private final Function<JsonPath, String> where;
  private final List<ResourceProblem> kept = new ArrayList<>();
  private int more;

  /** {@code where} names the place of a path for people: file, and line when known. */
  Problems(Function<JsonPath, String> where) {
    this.where = where;
  }

  void add(JsonPath path, String problem, String remedy) {
    if (kept.size() < KEPT_MAX) {
      add(new ResourceProblem(where.apply(path), path.toString(), problem, remedy));
    } else {
      more++;
    }
  }

  void add(ResourceProblem problem) {
    if (kept.size() < KEPT_MAX) {
      kept.add(problem);
    } else {
      more++;
    }
  }

  boolean isEmpty() {
    return kept.isEmpty();
  }

  List<ResourceProblem> toList() {
    List<ResourceProblem> all = new ArrayList<>(kept);
    if (more > 0) {
      all.add(
          new ResourceProblem(
              where.apply(JsonPath.ROOT),
              "",
              "there are " + more + " more problems",
              "Mend those above first."));
    }
    return List.copyOf(all);
  }
}
