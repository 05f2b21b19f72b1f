package io.tidemark.manifests;

import io.tidemark.resource.ResourceProblem;
import java.io.IOException;

/** A text that cannot be read as a whole; the message is the problem. */
final class UnreadableManifest extends IOException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final String remedy;

  /** At a line of the text, from 1; 0 when it is unknown. */
  UnreadableManifest(int line, String problem, String remedy) {
    super(problem);
    this.line = line;
    this.remedy = remedy;
  }

  /** The problem of the file {@code where}. */
  ResourceProblem in(String where) {
    String place = line == 0 ? where : where + ":" + line;
    return new ResourceProblem(place, "", String.valueOf(getMessage()), remedy);
  }
}
