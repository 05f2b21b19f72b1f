package io.tidemark.resource;

import io.tidemark.ip.IpFormatException;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with one document, up to a bound. */
final class Problems {
  private static final int KEPT_MAX = 100;
  private static final int SHOWN_MAX = 64;

  private final String where;
  private final List<ResourceProblem> kept = new ArrayList<>();
  private int more;

  /** {@code where} names the document's place for people. */
  Problems(String where) {
    this.where = where;
  }

  void add(JsonPath path, String problem, String remedy) {
    if (kept.size() == KEPT_MAX) {
      more++;
    } else {
      kept.add(new ResourceProblem(where, path.toString(), problem, remedy));
    }
  }

  /** The same problems of a document whose place is known by now; more can be added. */
  Problems at(String place) {
    Problems moved = new Problems(place);
    kept.forEach(
        it -> moved.kept.add(new ResourceProblem(place, it.path(), it.problem(), it.remedy())));
    moved.more = more;
    return moved;
  }

  /** A foreign value in the words of the wire, short and printable; texts in quotes. */
  static String shown(JsonValue value) {
    if (value instanceof JsonText text) {
      return '"' + IpFormatException.printable(text.text(), SHOWN_MAX) + '"';
    }
    if (value instanceof JsonNumber number) {
      return IpFormatException.printable(number.literal(), SHOWN_MAX);
    }
    if (value instanceof JsonBoolean flag) {
      return flag == JsonBoolean.TRUE ? "true" : "false";
    }
    if (value.isNull()) {
      return "null";
    }
    return value instanceof JsonArray || value instanceof AddressList ? "a list" : "an object";
  }

  boolean isEmpty() {
    return kept.isEmpty();
  }

  List<ResourceProblem> toList() {
    List<ResourceProblem> all = new ArrayList<>(kept);
    if (more > 0) {
      String problem = "there are " + more + " more problems";
      all.add(new ResourceProblem(where, "", problem, "Mend those above first."));
    }
    return List.copyOf(all);
  }
}
