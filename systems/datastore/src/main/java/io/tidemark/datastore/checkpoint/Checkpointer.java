package io.tidemark.datastore.checkpoint;

import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import java.io.IOException;

/** Where a store keeps its checkpoint. Methods may block; one write at a time. */
public interface Checkpointer {
  /** Its name, for messages. */
  String name();

  /** Replaces the content; it is durable when this returns, and the old one when it throws. */
  void checkpoint(byte[] content) throws IOException;

  /** The content that was written last. To be called before anything is written. */
  Read restore() throws IOException;
}
