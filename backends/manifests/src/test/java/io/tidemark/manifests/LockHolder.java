package io.tidemark.manifests;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** A program that takes the lock of a home, says so, and keeps it until it is ended. */
final class LockHolder {
  private LockHolder() {}

  /** Takes the lock of the first argument; without end of input it lives on. */
  public static void main(String[] arguments) throws IOException {
    Path home = Path.of(arguments[0]);
    FolderLock lock = FolderLock.take(home, "");
    System.out.println("locked");
    System.in.transferTo(OutputStream.nullOutputStream());
    lock.close();
  }
}
