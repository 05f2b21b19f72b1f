package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.resource.ResourceProblem;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a read or write of one object of the folder ended.
 *
 * @param object as it is from now on, with its version; null when the kind is another one
 * @param detail the failure in words, in the form of the published errors; empty when there is none
 */
record ObjectEnd<T>(Kind kind, @Nullable T object, String detail) {
  enum Kind {
    STORED,
    /** The object is newer than the version that was changed. */
    CONFLICT,
    NOT_FOUND,
    /** This place takes no such change; nothing was changed. */
    REFUSED,
    /** The object cannot be read, or not be changed in its file; nothing was changed. */
    FAULTY,
    /** The file system failed, or the file is being written; the effect is unknown. */
    FAILED
  }

  static <T> ObjectEnd<T> of(Kind kind, String detail) {
    return new ObjectEnd<>(kind, null, detail);
  }

  static <T> ObjectEnd<T> failed(CoreError code, String detail) {
    return of(Kind.FAILED, code.label() + " " + code.name() + ": " + detail + ". " + code.remedy());
  }

  static <T> ObjectEnd<T> faulty(ResourceProblem problem) {
    CoreError code = CoreError.RESOURCE_REFUSED;
    String place = problem.path().isEmpty() ? "" : " at " + problem.path();
    String detail = problem.where() + place + ": " + problem.problem() + ". " + problem.remedy();
    return of(Kind.FAULTY, code.label() + " " + code.name() + ": " + detail);
  }

  /** The object through {@code stored}, or else the ending through {@code others}. */
  <R> R match(Function<T, R> stored, Function<Kind, R> others) {
    return object != null ? stored.apply(object) : others.apply(kind);
  }
}
