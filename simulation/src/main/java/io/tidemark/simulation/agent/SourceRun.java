package io.tidemark.simulation.agent;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.simulation.store.StoreLine;
import io.tidemark.time.VirtualProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** An agent that draws from an {@link AddressSource}, and writes what that has to say. */
final class SourceRun implements AgentRun {
  private final AgentWorld world;
  private final SimulatedAgent agent;
  private final VirtualProcess process;
  private final AddressSource source;
  private final StoreLine line;
  private final AgentWriter writer;
  private Optional<NodeResourceStore.Watch> watch = Optional.empty();
  private boolean ready;
  private boolean serving;

  SourceRun(
      AgentWorld world,
      SimulatedAgent agent,
      VirtualProcess process,
      Duration updateRate,
      AddressSource source) {
    this.world = world;
    this.agent = agent;
    this.process = process;
    this.source = source;
    source.restarted();
    this.line =
        new StoreLine(
            () -> world.server().client(agent.node(), process, world.delay(), world.interference()),
            process,
            world.delay(),
            world.network());
    this.writer =
        new AgentWriter(
            world,
            agent.node(),
            source,
            updateRate.toNanos(),
            process,
            line,
            agent.nextWriteNanos(),
            new Pages());
  }

  @Override
  public void start() {
    watch = Optional.of(line.watch(new Eyes()));
  }

  private final class Eyes implements NodeResourceStore.Watcher {
    @Override
    public void upserted(NodeResource resource) {
      look();
      if (!ready && isMine(resource)) {
        ready = true;
        writer.begin();
        look();
        writer.changed();
      }
    }

    @Override
    public void deleted(String name) {
      // the instance goes too; nothing can be written any more
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      throw new IllegalStateException(name + " cannot be read: " + problems);
    }

    @Override
    public void synced() {
      // an object that is not there yet comes as a change
    }
  }

  @Override
  public Optional<IpAddress> next(Pod pod) {
    Optional<IpAddress> address =
        ready ? source.pick(agent.used(), world.random()) : Optional.empty();
    if (address.isPresent()) {
      writer.changed();
    } else {
      serveWhenUsable();
    }
    return address;
  }

  private void serveWhenUsable() {
    OptionalLong more = source.usableAtNanos();
    if (ready && more.isPresent() && !serving) {
      serving = true;
      process.at(more.getAsLong(), this::serveLater);
    }
  }

  private void serveLater() {
    serving = false;
    agent.serve();
  }

  @Override
  public void released(IpAddress address) {
    writer.changed();
  }

  @Override
  public void lacking() {
    if (source.writesSpec()) {
      writer.changed();
    }
  }

  @Override
  public boolean hasUnwritten() {
    return writer.hasUnwritten();
  }

  @Override
  public long stop() {
    watch.ifPresent(NodeResourceStore.Watch::close);
    return writer.nextWriteNanos();
  }

  private boolean isMine(NodeResource resource) {
    return resource.instanceId().equals(Optional.of(agent.instanceId()));
  }

  /** The newest version of the object that this agent knows, never an older one than before. */
  private Optional<NodeResource> newest() {
    return line.latest(agent.node()).filter(this::isMine);
  }

  private void look() {
    Optional<NodeResource> newest = newest();
    if (!ready || newest.isEmpty()) {
      return;
    }
    if (source.seen(newest.get(), agent.used(), agent.waiting())) {
      writer.changed();
    }
    if (agent.waiting() > 0) {
      agent.serve();
    }
  }

  private final class Pages implements AgentWriter.Pages {
    @Override
    public Optional<NodeResource> newest() {
      return SourceRun.this.newest();
    }

    @Override
    public NodeResource wanted(NodeResource base) {
      source.seen(base, agent.used(), agent.waiting());
      return source.answered(base, agent.used(), agent.waiting());
    }

    @Override
    public void stored() {
      look();
    }
  }
}
