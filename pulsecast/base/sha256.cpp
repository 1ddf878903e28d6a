#include "pulsecast/base/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <new>

namespace pulsecast {

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  // Memory is all that these calls can lack.
  if (context_ == nullptr || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) {
    throw std::bad_alloc();
  }
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  if (EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) != 1) throw std::bad_alloc();
}

std::string Sha256::digest() {
  std::array<unsigned char, 32> bytes{};
  unsigned int length = 0;
  if (EVP_DigestFinal_ex(context_.get(), bytes.data(), &length) != 1) throw std::bad_alloc();
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace pulsecast
