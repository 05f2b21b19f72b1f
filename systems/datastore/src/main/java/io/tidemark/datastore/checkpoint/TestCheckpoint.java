package io.tidemark.datastore.checkpoint;

import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Keeps the content in memory, and fails on request. For tests of programs that embed a store.
 * Thread-safe.
 */
public final class TestCheckpoint implements Checkpointer {
  private static final String NAME = "test-checkpoint";

  private byte[] content;
  private Optional<String> error = Optional.empty();

  /** With this content, that may be no checkpoint. */
  public TestCheckpoint(byte[] content) {
    this.content = content.clone();
  }

  /** With an empty one. */
  public static TestCheckpoint empty() {
    return new TestCheckpoint(CheckpointJson.print(CheckpointData.EMPTY));
  }

  /** From now on every call fails with this text, or none does. */
  public synchronized void setError(Optional<String> text) {
    error = text;
  }

  /** The content. */
  public synchronized byte[] content() {
    return content.clone();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public synchronized void checkpoint(byte[] next) throws IOException {
    failIfTold();
    content = next.clone();
  }

  @Override
  public synchronized Read restore() throws IOException {
    failIfTold();
    try {
      return new Read.Current(CheckpointReaderJson.read(content));
    } catch (UnreadableCheckpoint e) {
      return new Read.Refused(Path.of(NAME), e);
    }
  }

  private void failIfTold() throws IOException {
    if (error.isPresent()) {
      throw new IOException(error.get());
    }
  }
}
