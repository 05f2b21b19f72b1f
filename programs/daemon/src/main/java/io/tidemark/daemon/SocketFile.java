package io.tidemark.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.error.IpamException;
import io.tidemark.http.HttpHandler;
import io.tidemark.http.HttpLimits;
import io.tidemark.http.HttpListener;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The path of a Unix socket. Every call blocks on the file system. */
public final class SocketFile {
  /** The length of a socket's address that every system accepts. */
  static final int PATH_BYTES_MAX = 107;

  private static final Set<PosixFilePermission> OWNER_AND_GROUP =
      Set.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE);

  private SocketFile() {}

  /**
   * Serves HTTP at {@code path} until it is closed; owner and group may connect. A socket that
   * nobody listens on is taken over.
   *
   * @throws IpamException with {@code SOCKET_REFUSED} when somebody listens there, something else
   *     than a socket is there, or the path cannot be listened on
   */
  static HttpListener serve(Path path, HttpLimits limits, HttpHandler handler) {
    SocketAddress address = claim(path);
    try {
      HttpListener listener = HttpListener.start("socket", address, limits, handler);
      try {
        restrict(path);
        return listener;
      } catch (IOException e) {
        listener.close();
        throw e;
      }
    } catch (IOException e) {
      throw unusable(path, e);
    }
  }

  /**
   * The address of {@code path}, to be listened on at once. A socket that nobody listens on is
   * removed, a folder that is missing is made.
   *
   * @throws IpamException as {@link #serve} does
   */
  public static SocketAddress claim(Path path) {
    if (path.toString().getBytes(UTF_8).length > PATH_BYTES_MAX) {
      throw refused(path + " is longer than " + PATH_BYTES_MAX + " bytes", null);
    }
    try {
      removeStale(path);
      Path folder = path.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      return UnixDomainSocketAddress.of(path);
    } catch (IOException e) {
      throw unusable(path, e);
    }
  }

  /** Owner and group may connect to the socket, and nobody else. */
  public static void restrict(Path path) throws IOException {
    Files.setPosixFilePermissions(path, OWNER_AND_GROUP);
  }

  /** The refusal of a path, or another address, that cannot be listened on. */
  public static IpamException unusable(Object address, IOException why) {
    return refused(address + " cannot be listened on: " + why.getMessage(), why);
  }

  private static void removeStale(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Object type = Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if (((Integer) type & 0170000) != 0140000) {
      throw refused(path + " exists and is not a socket", null);
    }
    if (isListenedOn(path)) {
      throw refused(path + " is listened on by another program", null);
    }
    Files.delete(path);
  }

  private static boolean isListenedOn(Path path) {
    try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return probe.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static IpamException refused(String detail, @Nullable IOException cause) {
    return cause == null
        ? new IpamException(DaemonError.SOCKET_REFUSED, detail)
        : new IpamException(DaemonError.SOCKET_REFUSED, detail, cause);
  }
}
