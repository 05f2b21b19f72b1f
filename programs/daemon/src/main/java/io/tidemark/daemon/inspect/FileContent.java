package io.tidemark.daemon.inspect;

import io.tidemark.datastore.StoreRefusal;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.CheckpointReaderJson;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint;
import java.nio.file.Path;
import java.util.Optional;

/** The content of one file. */
public sealed interface FileContent {
  /** There is no such file. */
  record Absent() implements FileContent {}

  /**
   * A checkpoint.
   *
   * @param checksummed whether a checksum shows that it is undamaged
   */
  record Whole(int bytes, CheckpointData data, boolean checksummed) implements FileContent {}

  /**
   * No checkpoint that can be read.
   *
   * @param position where it is wrong; empty when it is the file as a whole
   */
  record Unreadable(UnreadableCheckpoint.Kind kind, StoreRefusal problem, String position)
      implements FileContent {}

  /** The content of a file that has these bytes. */
  static FileContent of(Path file, Optional<byte[]> bytes) {
    if (bytes.isEmpty()) {
      return new Absent();
    }
    try {
      CheckpointReaderJson.Content content = CheckpointReaderJson.content(bytes.get());
      return new Whole(bytes.get().length, content.data(), content.checksummed());
    } catch (UnreadableCheckpoint e) {
      StoreRefusal problem = StoreRefusal.unreadable(new Read.Refused(file, e));
      return new Unreadable(e.kind(), problem, e.position());
    }
  }
}
