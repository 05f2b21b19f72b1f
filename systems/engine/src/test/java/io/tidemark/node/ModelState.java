package io.tidemark.node;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that two actors, the API server and the cloud know in {@link HandshakeModel}. Changed
 * only while it is made.
 */
@SuppressWarnings("EnumOrdinal") // the numbers do not outlive the run
final class ModelState implements Cloneable {
  /** The object as it stands. */
  ModelObject server = ModelObject.NONE;

  /** Addresses attached in the cloud. */
  int attached;

  /** Addresses that pods hold. */
  int pods;

  /** Whether the operator lives. */
  boolean operates;

  /** The newest version that the operator's store holds. */
  ModelObject latest = ModelObject.NONE;

  /** The version that the node's lane has taken. */
  ModelObject facts = ModelObject.NONE;

  /** A version that the operator's watch has sent. */
  ModelObject arriving = ModelObject.NONE;

  ReleaseHandshake handshake = ReleaseHandshake.UNADOPTED;

  /** Addresses that the provider believes attached. */
  int inventory;

  /** The inventory must be read before anything is decided. */
  boolean doubt;

  Write write = Write.NONE;
  Release release = Release.NONE;

  /** Whether the agent lives. */
  boolean serves;

  /** The newest version that the agent knows. */
  ModelObject view = ModelObject.NONE;

  /** A version that the agent's watch has sent. */
  ModelObject told = ModelObject.NONE;

  /** The agent's memory. */
  HandshakeAgent mind = ModelAgent.FRESH;

  Write agentWrite = Write.NONE;

  private @Nullable String key;

  /** How far a request is. */
  enum Progress {
    NONE,
    /** On its way; outlives its sender. */
    SENT,
    /** Done; the answer is on its way back. */
    DONE,
    /** No answer came, or one that says that the base is old. */
    UNKNOWN,
    /** The object was read again; the answer is on its way back. */
    READ,
    /** The provider has the answer, the node's lane not yet. */
    ANSWERED
  }

  /**
   * A write of the object.
   *
   * @param spec whether it is the spec that is written
   * @param pool what the spec will say
   * @param object what was sent, and then what was answered
   * @param base version that it was made on
   */
  record Write(Progress progress, boolean spec, int pool, ModelObject object, int base) {
    static final Write NONE = new Write(Progress.NONE, false, 0, ModelObject.NONE, 0);

    Write with(Progress now, ModelObject answer) {
      return new Write(now, spec, pool, answer, 0);
    }
  }

  /** A release in the cloud; once it is done, {@code addresses} are those that went. */
  record Release(Progress progress, int addresses) {
    static final Release NONE = new Release(Progress.NONE, 0);
  }

  /** Another state, changed so. */
  ModelState after(Consumer<ModelState> change) {
    try {
      ModelState next = (ModelState) clone();
      next.key = null;
      change.accept(next);
      return next;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  // ---- what makes two states the same

  /**
   * Equal for states that nobody can tell apart: only the order of versions counts, and it does not
   * matter which of the two addresses is which.
   */
  String key() {
    String made = key;
    if (made == null) {
      int[] versions = versions();
      String plain = new Key(versions, false).text.toString();
      String mirrored = new Key(versions, true).text.toString();
      made = plain.compareTo(mirrored) <= 0 ? plain : mirrored;
      key = made;
    }
    return made;
  }

  /** An event that comes too late to be news has no effect. */
  private static ModelObject news(ModelObject arriving, ModelObject known) {
    return arriving.version() > known.version() ? arriving : ModelObject.NONE;
  }

  /** A write on an old version will be refused, whatever it says. */
  private Write hopeless(Write each) {
    return each.progress == Progress.SENT && each.base != server.version()
        ? each.with(Progress.SENT, ModelObject.NONE)
        : each;
  }

  /** Ascending, many more than once. */
  private int[] versions() {
    Write operators = hopeless(write);
    Write agents = hopeless(agentWrite);
    int[] versions = {
      server.version(),
      latest.version(),
      facts.version(),
      news(arriving, latest).version(),
      operators.object.version(),
      operators.base,
      view.version(),
      news(told, view).version(),
      agents.object.version(),
      agents.base
    };
    Arrays.sort(versions);
    return versions;
  }

  /** A character for a few fields each, all of them in few bits. */
  private final class Key {
    private final StringBuilder text = new StringBuilder();
    private final int[] versions;
    private final boolean mirrored;

    Key(int[] versions, boolean mirrored) {
      this.versions = versions;
      this.mirrored = mirrored;
      for (ModelObject each : new ModelObject[] {server, latest, facts, news(arriving, latest)}) {
        object(each);
      }
      object(view);
      object(news(told, view));
      write(hopeless(write));
      write(hopeless(agentWrite));
      int lives = (operates ? 1 : 0) | (serves ? 2 : 0) | (doubt ? 4 : 0);
      put(lives, set(attached), set(pods), set(inventory), set(release.addresses));
      put(release.progress.ordinal(), handshake == ReleaseHandshake.UNADOPTED ? 0 : 1);
      for (int i = 1; i <= 2; i++) {
        IpAddress address = ModelObject.address(mirrored ? 3 - i : i);
        HandshakeEntry entry = handshake.entries().get(address);
        int phase = entry == null ? 0 : entry.phase().ordinal() + 1;
        put(phase, entry != null && entry.seen() ? 1 : 0, mind.memory(address));
      }
    }

    /** The first has three bits or fewer, as each of the others. */
    private void put(int... values) {
      int all = 0;
      for (int each : values) {
        all = all << 3 | each;
      }
      text.append((char) all);
    }

    private int set(int set) {
      return mirrored ? (set >> 1) | ((set & 1) << 1) : set;
    }

    private int rank(int version) {
      int rank = 0;
      for (int i = 0; versions[i] < version; i++) {
        rank += versions[i] == 0 || versions[i] == versions[i + 1] ? 0 : 1;
      }
      return version == 0 ? 0 : rank + 1;
    }

    private void object(ModelObject each) {
      put(
          rank(each.version()),
          set(each.pool()),
          set(each.shown()),
          state(each, mirrored ? 2 : 1),
          state(each, mirrored ? 1 : 2));
    }

    private int state(ModelObject object, int bit) {
      HandshakeState state = object.wire().get(ModelObject.address(bit));
      return state == null ? 0 : state.ordinal() + 1;
    }

    private void write(Write each) {
      object(each.object);
      put(rank(each.base), each.progress.ordinal(), each.spec ? 1 : 0, set(each.pool));
    }
  }
}
