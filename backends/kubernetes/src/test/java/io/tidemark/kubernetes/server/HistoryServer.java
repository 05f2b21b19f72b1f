package io.tidemark.kubernetes.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * CiliumNodes of an API server that keeps its history: a watch from a version tells everything
 * after it, as a real server does and the client library's imitation does not. It takes no requests
 * that change anything: objects are put by the test. Thread-safe.
 */
public final class HistoryServer implements AutoCloseable {
  private static final String KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final Pattern VERSION = Pattern.compile("resourceVersion=([0-9]+)");
  private static final int TEXT = 1;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;

  private final ServerSocket listening;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Object lock = new Object();
  private final List<Event> history = new ArrayList<>();
  private final List<Watching> watching = new ArrayList<>();
  private final Map<String, String> objects = new TreeMap<>();
  private long version = 100;
  private long forgotten;
  private volatile boolean answersPings = true;

  private record Event(long version, String text) {}

  /** All objects of one moment. */
  public record Backup(long version, Map<String, String> objects) {
    public Backup {
      objects = Map.copyOf(objects);
    }
  }

  private HistoryServer() throws IOException {
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  /** Without encryption, and without objects. */
  public static HistoryServer start() throws IOException {
    HistoryServer server = new HistoryServer();
    server.threads.execute(server::accept);
    return server;
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** The first line of each request, in order. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** Lists that were asked for. */
  public long lists() {
    return requests.stream().filter(each -> !each.contains("watch=true")).count();
  }

  /** Watches that were asked for. */
  public long watches() {
    return requests.size() - lists();
  }

  /** Whether pings are answered; they are from the start. */
  public void answersPings(boolean answers) {
    answersPings = answers;
  }

  /** The present content. */
  public Backup backup() {
    synchronized (lock) {
      return new Backup(version, objects);
    }
  }

  /**
   * Goes back to a backup. Its objects keep their versions and watches get no event, as after a
   * restore of etcd.
   *
   * @param raised what the next change comes after; less than before for a plain restore
   */
  public void restore(Backup backup, long raised) {
    synchronized (lock) {
      objects.clear();
      objects.putAll(backup.objects());
      history.clear();
      version = raised;
    }
  }

  /** Removes an object. */
  public void delete(String name) throws IOException {
    synchronized (lock) {
      version++;
      String object = Objects.requireNonNull(objects.remove(name), name);
      tell("DELETED", object);
    }
  }

  /** Creates or changes an object. */
  public void put(String name) throws IOException {
    put(name, "u-" + name);
  }

  /** Creates or changes an object with a uid. */
  public void put(String name, String uid) throws IOException {
    synchronized (lock) {
      version++;
      boolean isNew = !objects.containsKey(name);
      String object =
          """
          {"apiVersion":"cilium.io/v2","kind":"CiliumNode",\
          "metadata":{"name":"NAME","uid":"UID","resourceVersion":"VERSION"},"spec":{}}"""
              .replace("NAME", name)
              .replace("UID", uid)
              .replace("VERSION", Long.toString(version));
      objects.put(name, object);
      tell(isNew ? "ADDED" : "MODIFIED", object);
    }
  }

  /** Tells the version to each watch. */
  public void bookmark() throws IOException {
    synchronized (lock) {
      version++;
      tell(
          "BOOKMARK",
          "{\"apiVersion\":\"cilium.io/v2\",\"kind\":\"CiliumNode\",\"metadata\":{\"resourceVersion\":\""
              + version
              + "\"}}");
    }
  }

  /** Forgets what happened until now: a watch from before is told to list again. */
  public void forget() {
    synchronized (lock) {
      forgotten = version + 1;
      version++;
      history.clear();
    }
  }

  private void tell(String type, String object) throws IOException {
    Event event = new Event(version, "{\"type\":\"" + type + "\",\"object\":" + object + "}");
    history.add(event);
    for (Watching each : List.copyOf(watching)) {
      each.tell(event);
    }
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        open.add(client);
        threads.execute(() -> serve(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      InputStream in = client.getInputStream();
      for (List<String> head = head(in); !head.isEmpty(); head = head(in)) {
        requests.add(head.get(0));
        if (head.get(0).contains("watch=true")) {
          watch(client, head);
          return;
        }
        list(client.getOutputStream());
      }
    } catch (IOException e) {
      // the client is gone
    } finally {
      open.remove(client);
    }
  }

  private static List<String> head(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int each = in.read(); each >= 0; each = in.read()) {
      bytes.write(each);
      String text = bytes.toString(ISO_8859_1);
      if (text.endsWith("\r\n\r\n")) {
        return text.lines().toList();
      }
    }
    return List.of();
  }

  private void list(OutputStream out) throws IOException {
    String body;
    synchronized (lock) {
      body =
          objects.values().stream()
              .collect(
                  Collectors.joining(
                      ",",
                      "{\"apiVersion\":\"cilium.io/v2\",\"kind\":\"CiliumNodeList\","
                          + "\"metadata\":{\"resourceVersion\":\""
                          + version
                          + "\"},\"items\":[",
                      "]}"));
    }
    out.write(
        ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                + body.getBytes(UTF_8).length
                + "\r\n\r\n"
                + body)
            .getBytes(UTF_8));
    out.flush();
  }

  private void watch(Socket client, List<String> head) throws IOException {
    String key =
        head.stream()
            .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:"))
            .findFirst()
            .orElseThrow()
            .split(":", 2)[1]
            .strip();
    Matcher from = VERSION.matcher(head.get(0));
    long seen = from.find() ? Long.parseLong(from.group(1)) : 0;
    Watching watcher = new Watching(client);
    client
        .getOutputStream()
        .write(
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: "
                    + accepted(key)
                    + "\r\n\r\n")
                .getBytes(ISO_8859_1));
    synchronized (lock) {
      if (seen < forgotten) {
        watcher.tell(
            new Event(
                0,
                """
                {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure",\
                "message":"too old resource version","reason":"Expired","code":410}}"""));
      } else {
        for (Event each : history) {
          if (each.version() > seen) {
            watcher.tell(each);
          }
        }
        watching.add(watcher);
      }
    }
    try {
      watcher.listen();
    } finally {
      synchronized (lock) {
        watching.remove(watcher);
      }
    }
  }

  private static String accepted(String key) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-1").digest((key + KEY_SUFFIX).getBytes(ISO_8859_1));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket each : open) {
      each.close();
    }
    threads.shutdownNow();
  }

  private final class Watching {
    private final Socket client;

    Watching(Socket client) {
      this.client = client;
    }

    void tell(Event event) {
      send(TEXT, event.text().getBytes(UTF_8));
    }

    private synchronized void send(int kind, byte[] payload) {
      try {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(0x80 | kind);
        if (payload.length < 126) {
          frame.write(payload.length);
        } else {
          frame.write(126);
          frame.write(payload.length >> 8);
          frame.write(payload.length);
        }
        frame.writeBytes(payload);
        client.getOutputStream().write(frame.toByteArray());
      } catch (IOException e) {
        // the client is gone, and reads this event after it has come back
      }
    }

    void listen() throws IOException {
      InputStream in = client.getInputStream();
      for (int kind = in.read(); kind >= 0; kind = in.read()) {
        int length = in.read() & 0x7f;
        byte[] mask = in.readNBytes(4);
        byte[] payload = in.readNBytes(length);
        for (int i = 0; i < payload.length; i++) {
          payload[i] ^= mask[i % 4];
        }
        if ((kind & 0x0f) == PING && answersPings) {
          send(PONG, payload);
        } else if ((kind & 0x0f) == CLOSE) {
          send(CLOSE, payload);
          return;
        }
      }
    }
  }
}
