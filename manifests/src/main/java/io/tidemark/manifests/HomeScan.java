package io.tidemark.manifests;

import io.tidemark.file.FileStamp;
import io.tidemark.resource.ResourceProblem;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What one look at the home found.
 *
 * @param problem why the home itself cannot be listed
 * @param complete whether all files were looked at, so that a file that is missing here is gone
 * @param files what was found, by file; empty for a file that was asked for and is not there
 */
record HomeScan(
    Optional<ResourceProblem> problem, boolean complete, Map<Path, Optional<Found>> files) {
  /**
   * A file as it was found.
   *
   * @param finished whether a file that was not known before shows that its writer has ended
   */
  record Found(FileStamp stamp, FileView view, boolean finished) {}

  /**
   * What is known of a file.
   *
   * @param again whether the content is read even if the stamp is the same
   * @param changes tells whether something newer is known once the look ends
   */
  record Known(FileStamp stamp, FileView view, boolean again, long changes) {}
}
