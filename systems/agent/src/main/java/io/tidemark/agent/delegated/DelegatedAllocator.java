package io.tidemark.agent.delegated;

import io.tidemark.agent.Allocator;
import io.tidemark.agent.Denial;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;

/**
 * A family that a plugin serves instead of the agent: it has no address, and says so (allocators
 * 3.2). Immutable.
 *
 * @param family of the requests that are refused
 */
public record DelegatedAllocator(IpFamily family) implements Allocator {
  @Override
  public int capacity() {
    return 0;
  }

  @Override
  public int freeCount() {
    return 0;
  }

  @Override
  public int position(IpAddress ip) {
    return -1;
  }

  @Override
  public IpAddress address(int position) {
    throw noPosition(position);
  }

  @Override
  public Denial refusal(IpAddress ip) {
    return Denial.unsupported();
  }

  @Override
  public Denial unable() {
    return Denial.unsupported();
  }

  @Override
  public boolean take(int position) {
    throw noPosition(position);
  }

  @Override
  public int takeNext() {
    return -1;
  }

  @Override
  public void free(int position) {
    throw noPosition(position);
  }

  @Override
  public String origin() {
    return "the delegated plugin";
  }

  private static IndexOutOfBoundsException noPosition(int position) {
    return new IndexOutOfBoundsException("there is no position " + position);
  }
}
