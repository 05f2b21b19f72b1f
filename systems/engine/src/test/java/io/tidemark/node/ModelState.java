package io.tidemark.node;

import io.tidemark.ip.IpAddress;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that two actors, the API server and the cloud know in {@link HandshakeModel}.
 * Immutable.
 *
 * @param server the object as it stands
 * @param attached addresses attached in the cloud
 * @param pods addresses that pods hold
 */
@SuppressWarnings("EnumOrdinal") // the numbers do not outlive the run
record ModelState(
    ModelObject server,
    int attached,
    int pods,
    ModelState.Operator operator,
    ModelState.Agent agent) {

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

  /**
   * The operator.
   *
   * @param latest the newest version that its store holds
   * @param facts the version that the node's lane has taken
   * @param arriving a version that the watch has sent
   * @param inventory addresses that the provider believes attached
   * @param doubt the inventory must be read before anything is decided
   */
  record Operator(
      boolean alive,
      ModelObject latest,
      ModelObject facts,
      ModelObject arriving,
      ReleaseHandshake handshake,
      int inventory,
      boolean doubt,
      Write write,
      Release release) {

    Operator withLatest(ModelObject now) {
      return new Operator(alive, now, facts, arriving, handshake, inventory, doubt, write, release);
    }

    Operator withFacts(ModelObject now) {
      return new Operator(
          alive, latest, now, arriving, handshake, inventory, doubt, write, release);
    }

    Operator withArriving(ModelObject now) {
      return new Operator(alive, latest, facts, now, handshake, inventory, doubt, write, release);
    }

    Operator withHandshake(ReleaseHandshake now) {
      return new Operator(alive, latest, facts, arriving, now, inventory, doubt, write, release);
    }

    Operator withInventory(int now, boolean nowDoubt) {
      return new Operator(alive, latest, facts, arriving, handshake, now, nowDoubt, write, release);
    }

    Operator withWrite(Write now) {
      return new Operator(
          alive, latest, facts, arriving, handshake, inventory, doubt, now, release);
    }

    Operator withRelease(Release now) {
      return new Operator(alive, latest, facts, arriving, handshake, inventory, doubt, write, now);
    }
  }

  /**
   * The agent.
   *
   * @param view the newest version that it knows
   * @param arriving a version that the watch has sent
   * @param mind what it remembers
   */
  record Agent(
      boolean alive, ModelObject view, ModelObject arriving, HandshakeAgent mind, Write write) {
    Agent withView(ModelObject now) {
      return new Agent(alive, now, arriving, mind, write);
    }

    Agent withArriving(ModelObject now) {
      return new Agent(alive, view, now, mind, write);
    }

    Agent withMind(HandshakeAgent now) {
      return new Agent(alive, view, arriving, now, write);
    }

    Agent withWrite(Write now) {
      return new Agent(alive, view, arriving, mind, now);
    }
  }

  ModelState with(Operator now) {
    return new ModelState(server, attached, pods, now, agent);
  }

  ModelState with(Agent now) {
    return new ModelState(server, attached, pods, operator, now);
  }

  ModelState withServer(ModelObject now) {
    return new ModelState(now, attached, pods, operator, agent);
  }

  ModelState withAttached(int now) {
    return new ModelState(server, now, pods, operator, agent);
  }

  ModelState withPods(int now) {
    return new ModelState(server, attached, now, operator, agent);
  }

  // ---- what makes two states the same

  /** The bits of a state. */
  record Key(long first, long second, long third) implements Comparable<Key> {
    private static final long ODD = 0x9e3779b97f4a7c15L;

    /** Millions of keys differ in few bits, which must reach the low ones. */
    @Override
    public int hashCode() {
      long mixed = ((first * ODD ^ second) * ODD ^ third) * ODD;
      return (int) (mixed >>> 32);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && first == key.first
          && second == key.second
          && third == key.third;
    }

    @Override
    public int compareTo(Key other) {
      int order = Long.compare(first, other.first);
      order = order == 0 ? Long.compare(second, other.second) : order;
      return order == 0 ? Long.compare(third, other.third) : order;
    }
  }

  /**
   * Equal for states that nobody can tell apart: only the order of versions counts, and it does not
   * matter which of the two addresses is which.
   */
  Key key() {
    int[] versions = versions();
    Key plain = key(versions, false);
    Key mirrored = key(versions, true);
    return plain.compareTo(mirrored) <= 0 ? plain : mirrored;
  }

  private Key key(int[] versions, boolean mirrored) {
    Bits bits = new Bits(versions, mirrored);
    bits.object(server);
    bits.set(attached);
    bits.set(pods);
    bits.flag(operator.alive);
    bits.object(operator.latest);
    bits.object(operator.facts);
    bits.object(news(operator.arriving, operator.latest));
    bits.handshake(operator.handshake);
    bits.set(operator.inventory);
    bits.flag(operator.doubt);
    bits.write(hopeless(operator.write));
    bits.put(operator.release.progress.ordinal(), 3);
    bits.set(operator.release.addresses);
    bits.flag(agent.alive);
    bits.object(agent.view);
    bits.object(news(agent.arriving, agent.view));
    bits.memory(agent.mind);
    bits.write(hopeless(agent.write));
    return bits.key();
  }

  /** An event that comes too late to be news has no effect. */
  private static ModelObject news(ModelObject arriving, ModelObject known) {
    return arriving.version() > known.version() ? arriving : ModelObject.NONE;
  }

  /** A write on an old version will be refused, whatever it says. */
  private Write hopeless(Write write) {
    return write.progress == Progress.SENT && write.base != server.version()
        ? write.with(Progress.SENT, ModelObject.NONE)
        : write;
  }

  /** Ascending, many more than once. */
  private int[] versions() {
    Write operators = hopeless(operator.write);
    Write agents = hopeless(agent.write);
    int[] versions = {
      server.version(),
      operator.latest.version(),
      operator.facts.version(),
      news(operator.arriving, operator.latest).version(),
      operators.object.version(),
      operators.base,
      agent.view.version(),
      news(agent.arriving, agent.view).version(),
      agents.object.version(),
      agents.base
    };
    Arrays.sort(versions);
    return versions;
  }

  private static final class Bits {
    private final int[] versions;
    private final boolean mirrored;
    private long first;
    private long second;
    private long third;
    private int free = Long.SIZE;

    Bits(int[] versions, boolean mirrored) {
      this.versions = versions;
      this.mirrored = mirrored;
    }

    /** Into the last word; a full one makes room before it. */
    void put(int value, int bits) {
      if (free < bits) {
        if (first != 0) {
          throw new IllegalStateException("a state takes more than three words");
        }
        first = second;
        second = third;
        third = 0;
        free = Long.SIZE;
      }
      third = third << bits | value;
      free -= bits;
    }

    void flag(boolean value) {
      put(value ? 1 : 0, 1);
    }

    void set(int set) {
      put(mirrored ? ModelObject.mirrored(set) : set, 2);
    }

    void version(int version) {
      int rank = 0;
      for (int i = 0; versions[i] < version; i++) {
        rank += versions[i] == 0 || versions[i] == versions[i + 1] ? 0 : 1;
      }
      put(version == 0 ? 0 : rank + 1, 4);
    }

    void object(ModelObject object) {
      ModelObject each = mirrored ? object.mirrored() : object;
      version(each.version());
      put(each.pool(), 2);
      put(each.shown(), 2);
      put(each.wire(), 6);
    }

    void memory(HandshakeAgent mind) {
      int first = mind.memory(ModelObject.address(1));
      int second = mind.memory(ModelObject.address(2));
      put(mirrored ? second << 3 | first : first << 3 | second, 6);
    }

    void write(Write write) {
      put(write.progress.ordinal(), 3);
      flag(write.spec);
      set(write.pool);
      object(write.object);
      version(write.base);
    }

    void handshake(ReleaseHandshake handshake) {
      flag(handshake != ReleaseHandshake.UNADOPTED);
      int code = 0;
      for (Map.Entry<IpAddress, HandshakeEntry> each : handshake.entries().entrySet()) {
        int entry = (each.getValue().phase().ordinal() + 1) << 1 | (each.getValue().seen() ? 1 : 0);
        boolean low = (ModelObject.bit(each.getKey()) == 1) != mirrored;
        code |= entry << (low ? 0 : 4);
      }
      put(code, 8);
    }

    Key key() {
      return new Key(first, second, third);
    }
  }
}
